package recorder

import "testing"

func TestEscapesDoNotHideASecret(t *testing.T) {
	redactsText(t, map[string]string{
		`<div data-props="{&quot;token&quot;:&quot;abc&quot;,&quot;n&quot;:1}">`: `<div data-props="{&quot;token&quot;:&quot;[redacted]&quot;,&quot;n&quot;:1}">`,
		`<a href="/cb?x=1&amp;code=abc&amp;y=2">`:                                `<a href="/cb?x=1&amp;code=[redacted]&amp;y=2">`,
		`x = "{\u0022token\u0022: \u0022abc\u0022}";`:                            `x = "{\u0022token\u0022: \u0022[redacted]\u0022}";`,
		`x = "{\x22token\x22:\x22abc\x22,\x22n\x22:1}";`:                         `x = "{\x22token\x22:\x22[redacted]\x22,\x22n\x22:1}";`,
		`got "https:\/\/u:abc@h\/?sig=abc"`:                                      `got "https:\/\/[redacted]@h\/?sig=[redacted]"`,
		`got "https://h/?a=1\u0026sig=abc"`:                                      `got "https://h/?a=1\u0026sig=[redacted]"`,
		`&lt;password&gt;abc&lt;/password&gt; &amp; so`:                          `&lt;password&gt;[redacted]&lt;/password&gt; &amp; so`,
		`token&#61;abc1&#x3b; x`:                                                 `token&#61;[redacted] x`,
		`&amp;quot;token&amp;quot;: &amp;quot;abc`:                               `&quot;token&quot;: &quot;[redacted]`,
	})
}

func TestEscapesWithoutASecretStay(t *testing.T) {
	redactsText(t, map[string]string{
		`<a href="/?a=1&amp;b=2">&quot;x&quot; &#8364; &#1114112; &#; &unknown; & &#x</a>`: `<a href="/?a=1&amp;b=2">&quot;x&quot; &#8364; &#1114112; &#; &unknown; & &#x</a>`,
		`C:\temp\x41\u00e9 \/ \u12 \x4`:    `C:\temp\x41\u00e9 \/ \u12 \x4`,
		`Terms &amp; conditions: a &lt; b`: `Terms &amp; conditions: a &lt; b`,
	})
}
