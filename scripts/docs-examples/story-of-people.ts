import { Secret, TOTP } from "otpauth";
import { list, object, text } from "../../src/http/docs/read-description.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { createAuthenticator } from "../../test/support/authenticator.ts";
import { documentOf, type Recorder } from "./recorder.ts";

/**
 * The Owner adds Ada, who chooses a password, sets up second factors and signs in with each; then the Owner's team, its programs'
 * logins and the webhook secret. `owner`: a person's token; `origin`: where the sandbox's passkeys are valid.
 */
export async function playPeople(
  recorder: Recorder,
  { owner, origin, wallet }: { owner: string; origin: string; wallet: string },
): Promise<void> {
  const { ask } = recorder;
  const login = "ada@shop.example";
  const added = await ask("POST /member/", "/member/", {
    as: owner,
    body: documentOf("member", { name: "Ada Byron", role: "admin", login }),
  });
  const ada = { login, password: "correct horse battery staple", memberId: added.id };
  await arrive(recorder, ada, text(added.attributes["initial_password"]));
  const token = await signInWithFactors(recorder, ada, origin);
  await endSessions(recorder, ada, token);
  await runTeam(recorder, owner, wallet, ada.memberId);
  await runPrograms(recorder, owner);
}

type Person = { readonly login: string; readonly password: string; readonly memberId: string };

const signIn = (login: string, password: string): JsonObject =>
  documentOf("session-token", { login, password });
const accessOf = ({ attributes }: { readonly attributes: JsonObject }): string =>
  text(attributes["access"]);

/** The first sign-in, with the initial password. */
async function arrive({ ask }: Recorder, ada: Person, first: string): Promise<void> {
  const opened = await ask("POST /session/", "/session/", { body: signIn(ada.login, first) });
  await ask("POST /me/password/", "/me/password/", {
    as: accessOf(opened),
    body: documentOf("me", { password: ada.password }),
  });
}

/** An authenticator app, recovery codes and a passkey, and a sign-in with each; returns the last token. */
async function signInWithFactors(
  { ask, peek }: Recorder,
  ada: Person,
  origin: string,
): Promise<string> {
  const opened = await peek("POST", "/session/", { body: signIn(ada.login, ada.password) });
  const as = accessOf(opened);
  const totp = await ask("POST /totp/", "/totp/", { as });
  const app = new TOTP({ secret: Secret.fromBase32(text(totp.attributes["secret"])) });
  const confirmed = documentOf("totp", { code: app.generate() });
  await ask("POST /totp/{id}/confirm/", `/totp/${totp.id}/confirm/`, { as, body: confirmed });
  await ask("GET /totp/", "/totp/", { as });
  await ask("GET /totp/{id}/", `/totp/${totp.id}/`, { as });
  const recovery = await ask("POST /recovery-code/", "/recovery-code/", { as });

  const authenticator = createAuthenticator(origin);
  const begun = (await ask("POST /passkey/options/", "/passkey/options/", { as })).attributes;
  const registration = authenticator.create(object(begun["options"]));
  const proof = { challenge: begun["challenge"] ?? "", response: registration };
  const passkey = await ask("POST /passkey/", "/passkey/", {
    as,
    body: documentOf("passkey", { name: "Laptop", ...proof }),
  });
  await ask("PATCH /passkey/{id}/", `/passkey/${passkey.id}/`, {
    as,
    body: documentOf("passkey", { name: "Laptop at work" }, {}, passkey.id),
  });

  const response = await peek("POST", "/session/", { body: signIn(ada.login, ada.password) });
  const due = object(object(list(response.document["errors"])[0])["meta"])["challenge"] ?? "";
  const [code = ""] = list(recovery.attributes["codes"]);
  await ask("POST /session/second-factor/", "/session/second-factor/", {
    body: documentOf("session-token", { challenge: due, code }),
  });
  const offered = await ask("POST /session/passkey-options/", "/session/passkey-options/");
  const used = await ask("POST /session/passkey/", "/session/passkey/", {
    body: documentOf("session-token", {
      challenge: offered.attributes["challenge"] ?? "",
      response: authenticator.get(object(offered.attributes["options"])),
    }),
  });
  const token = accessOf(used);
  await ask("GET /passkey/", "/passkey/", { as: token });
  await ask("GET /me/", "/me/", { as: token });
  await ask("POST /session/confirm/", "/session/confirm/", {
    as: token,
    body: documentOf("session-confirmation", { password: ada.password }),
  });
  await ask("DELETE /passkey/{id}/", `/passkey/${passkey.id}/`, { as: token });
  await ask("DELETE /totp/{id}/", `/totp/${totp.id}/`, { as: token });
  return token;
}

async function endSessions({ ask, peek }: Recorder, ada: Person, as: string): Promise<void> {
  const sessions = await ask("GET /session/", "/session/", { as });
  const other = list(sessions.document["data"])
    .map(object)
    .find((session) => object(session["attributes"])["is_current"] === false);
  const id = text(other?.["id"]);
  await ask("DELETE /session/{id}/", `/session/${id}/`, { as });
  await ask("POST /session/revoke-others/", "/session/revoke-others/", { as });
  const opened = await peek("POST", "/session/", { body: signIn(ada.login, ada.password) });
  const { cookie } = await ask("POST /session/refresh/", "/session/refresh/", {
    cookie: opened.cookie,
  });
  await ask("POST /session/logout/", "/session/logout/", { cookie });
}

async function runTeam(
  { ask, peek }: Recorder,
  as: string,
  wallet: string,
  memberId: string,
): Promise<void> {
  await ask("GET /member/", "/member/", { as });
  await ask("GET /member/{id}/", `/member/${memberId}/`, { as });
  const clerk = await ask("POST /member/", "/member/", {
    as,
    body: documentOf("member", { name: "Jo Doe", role: "read_only", login: "jo@shop.example" }),
  });
  const granted = { role: "withdrawals", wallet_grants: [{ wallet, may_pay: true }] };
  await ask("PATCH /member/{id}/", `/member/${clerk.id}/`, {
    as,
    body: documentOf("member", granted, {}, clerk.id),
  });
  const sam = await peek("POST", "/member/", {
    as,
    body: documentOf("member", { name: "Sam Roe", role: "owner", login: "sam@shop.example" }),
  });
  const first = text(sam.attributes["initial_password"]);
  const opened = await peek("POST", "/session/", { body: signIn("sam@shop.example", first) });
  const second = text(opened.attributes["access"]);
  await peek("POST", "/me/password/", {
    as: second,
    body: documentOf("me", { password: "another horse battery staple" }),
  });
  await ask("POST /member/{id}/confirm/", `/member/${clerk.id}/confirm/`, { as: second });
  await ask("POST /member/{id}/reset-access/", `/member/${clerk.id}/reset-access/`, {
    as,
    body: documentOf("member", { login: "jo.doe@shop.example" }),
  });
  await ask("POST /member/{id}/deactivate/", `/member/${clerk.id}/deactivate/`, { as });
  await ask("POST /member/{id}/activate/", `/member/${clerk.id}/activate/`, { as });
}

/** Credentials and callback signing. Rotates the webhook secret, so the one in sandbox.json becomes invalid. */
async function runPrograms({ ask, peek }: Recorder, as: string): Promise<void> {
  const till = await peek("POST", "/member/", {
    as,
    body: documentOf("member", { name: "Till 3", role: "withdrawals" }),
  });
  const created = await ask("POST /credential/", "/credential/", {
    as,
    body: documentOf(
      "credential",
      { label: "Till 3", allowed_networks: ["203.0.113.0/24"] },
      { member: ["member", till.id] },
    ),
  });
  const path = `/credential/${created.id}/`;
  await ask("GET /credential/", "/credential/?page[size]=2", { as });
  await ask("GET /credential/{id}/", path, { as });
  await ask("PATCH /credential/{id}/", path, {
    as,
    body: documentOf(
      "credential",
      { allowed_networks: ["203.0.113.0/24", "2001:db8::1"], confirm: true },
      {},
      created.id,
    ),
  });
  await ask("POST /credential/{id}/designate/", `${path}designate/`, { as });
  await ask("POST /credential/{id}/revoke/", `${path}revoke/`, { as });
  await ask("GET /webhook-secret/", "/webhook-secret/", { as });
  await ask("POST /webhook-secret/show/", "/webhook-secret/show/", { as });
  await ask("POST /webhook-secret/rotate/", "/webhook-secret/rotate/", {
    as,
    body: documentOf("webhook-secret", { grace_hours: 24 }),
  });
}
