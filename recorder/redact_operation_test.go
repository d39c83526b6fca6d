package recorder

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"redial/ledger"
)

// secretOperation has a secret, marked so, wherever an operation can have one.
func secretOperation() ledger.Operation {
	return ledger.Operation{
		Intent: ledger.Intent{
			Service: "checkout", Key: "order-8841", Name: "create order https://u:SECRET@api.example.test/", Ref: "Bearer SECRET-1",
			Method: "POST", URL: "https://user:SECRET@api.example.test/orders?access_token=SECRET&page=2",
			Header: []ledger.Field{{Name: "Content-Type", Value: "application/json"}, {Name: "X-Api-Key", Value: "SECRET"}},
			Body:   []byte(`{"card":"SECRET"}`),
			Lookup: &ledger.Lookup{URL: "https://api.example.test/orders/{key}?token=SECRET", Header: []ledger.Field{{Name: "Authorization", Value: "SECRET"}}},
			Undo:   &ledger.Undo{Method: "DELETE", URL: "https://api.example.test/orders/{key}?token=SECRET", Body: []byte("SECRET")},
		},
		LastError: "Post https://user:SECRET@api.example.test/: Bearer SECRET-2",
		Result: &ledger.Result{Status: 201, Header: []ledger.Field{{Name: "Set-Cookie", Value: "id=SECRET"}, {Name: "Content-Type", Value: "application/json"}},
			Body: []byte(`{"id":7,"access_token":"SECRET"}`)},
	}
}

func TestAnOperationIsShownWithoutItsSecrets(t *testing.T) {
	o := secretOperation()
	shown := RedactOperation(&o)
	text, err := json.Marshal(shown)
	if err != nil {
		t.Fatal(err)
	}
	bodies := string(shown.Body) + string(shown.Result.Body) + string(shown.Undo.Body)
	if strings.Contains(string(text)+bodies, "SECRET") {
		t.Errorf("a secret is left in %s %s", text, bodies)
	}
	if want := "https://[redacted]@api.example.test/orders?access_token=[redacted]&page=2"; shown.URL != want {
		t.Errorf("the URL is %s, want %s", shown.URL, want)
	}
	if shown.Key != o.Key || shown.Header[0] != o.Header[0] || !strings.Contains(string(shown.Result.Body), `"id":7`) {
		t.Errorf("what is no secret is gone: %s %s", text, bodies)
	}
}

func TestRedactingLeavesTheOperationFitToBeSent(t *testing.T) {
	o := secretOperation()
	RedactOperation(&o)
	if !reflect.DeepEqual(o, secretOperation()) {
		t.Errorf("the operation has changed: %+v", o)
	}
}

func TestAnOperationThatHasNothingIsShownAsItIs(t *testing.T) {
	var o ledger.Operation
	if shown := RedactOperation(&o); !reflect.DeepEqual(shown, ledger.Operation{}) {
		t.Errorf("%+v", shown)
	}
}

func TestATransitionIsShownWithoutItsSecrets(t *testing.T) {
	row := ledger.Transition{
		From: ledger.OpSending, To: ledger.OpChecking, Reason: "no answer from https://u:SECRET@a.test/", Evidence: "Authorization: Bearer SECRET-1",
		Error: "token=SECRET", Result: &ledger.Result{Body: []byte(`{"password":"SECRET"}`)},
	}
	shown := RedactTransition(&row)
	text := shown.Reason + shown.Evidence + shown.Error + string(shown.Result.Body)
	if strings.Contains(text, "SECRET") || shown.From != row.From || shown.To != row.To {
		t.Errorf("%+v", shown)
	}
	if !strings.Contains(row.Reason+row.Evidence+row.Error+string(row.Result.Body), "SECRET") {
		t.Error("the transition itself has changed")
	}
}
