import { text } from "../../src/http/docs/read-description.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { documentOf, type Recorder } from "./recorder.ts";

/**
 * Kim, an Admin, asks three times to raise a limit. The Owner, whose token is `owner`, approves the first change and rejects the second;
 * Kim withdraws the third. `confirm` confirms a member as the operator, because the account has several Owners.
 */
export async function playProtection(
  recorder: Recorder,
  owner: string,
  confirm: (memberId: string) => void,
): Promise<void> {
  const { ask } = recorder;
  const as = await admin(recorder, owner, confirm);
  const path = "/protection-change/";
  const change = (attributes: JsonObject) =>
    ask(`POST ${path}`, path, { as, body: changeOf(attributes) });
  const limit = (amount: string) =>
    change({ kind: "limit", span: "transaction", amount, note: "Salaries are due" });
  await recorder.peek("POST", path, {
    as,
    body: changeOf({ kind: "limit", span: "transaction", amount: "10" }),
  });
  const raised = await limit("25");
  await ask(`GET ${path}`, `${path}?page[size]=1`, { as: owner });
  await ask(`GET ${path}{id}/`, `${path}${raised.id}/`, { as: owner });
  await ask(`POST ${path}{id}/approve/`, `${path}${raised.id}/approve/`, { as: owner });
  const more = await limit("50");
  await ask(`POST ${path}{id}/reject/`, `${path}${more.id}/reject/`, { as: owner });
  const most = await limit("75");
  await ask(`POST ${path}{id}/withdraw/`, `${path}${most.id}/withdraw/`, { as });
  await ask("GET /protection/", "/protection/", { as });
}

const changeOf = (attributes: JsonObject): JsonObject => ({
  data: {
    type: "protection-change",
    attributes,
    relationships: { currency: { data: { type: "currency", id: "1002" } } },
  },
});

/** The token of a new Admin who has changed the initial password. */
async function admin(
  { peek }: Recorder,
  owner: string,
  confirm: (memberId: string) => void,
): Promise<string> {
  const login = "kim@shop.example";
  const added = await peek("POST", "/member/", {
    as: owner,
    body: documentOf("member", { name: "Kim Roe", role: "admin", login }),
  });
  confirm(added.id);
  const first = text(added.attributes["initial_password"]);
  const opened = await peek("POST", "/session/", {
    body: documentOf("session-token", { login, password: first }),
  });
  const token = text(opened.attributes["access"]);
  const password = "a horse that protects payouts";
  await peek("POST", "/me/password/", { as: token, body: documentOf("me", { password }) });
  const again = await peek("POST", "/session/", {
    body: documentOf("session-token", { login, password }),
  });
  return text(again.attributes["access"]);
}
