package keys_test

import (
	"reflect"
	"testing"

	"charm.land/bubbles/v2/key"

	"redial/tui/keys"
)

func TestEveryKeyCanBePressedWithoutIt(t *testing.T) {
	m := reflect.ValueOf(keys.Default()).Elem()
	for i := range m.NumField() {
		b, ok := m.Field(i).Interface().(key.Binding)
		if !ok {
			continue
		}
		press, ok := keys.Press(b)
		if !ok || !key.Matches(press, b) {
			t.Errorf("%s, which is %q, cannot be pressed", m.Type().Field(i).Name, b.Keys())
		}
	}
	if _, ok := keys.Press(keys.Says("nothing", "")); ok {
		t.Error("what has no key can be pressed")
	}
}
