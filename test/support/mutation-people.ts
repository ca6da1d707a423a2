import { Secret, TOTP } from "otpauth";
import { present } from "../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import type { ApiResponse } from "./api-server.ts";
import { type Authenticator, createAuthenticator } from "./authenticator.ts";
import type { TestMember } from "./test-accounts.ts";
import { arrangeInvitation, newEndpoint } from "./two-tenants.ts";
import type { WholeApi } from "./whole-api.ts";
import { openPerson, type WholePerson } from "./whole-person.ts";
import { arrangeDepositOf, arrangeTenant, newDeposit, type Tenant } from "./whole-tenant.ts";

/** Where its pages are: passkeys need a name that is reached by HTTPS. */
export const peopleOrigin = "https://pay.example";

/** A code or an authenticator's answer, with the challenge that it answers once. */
export type Proof = JsonObject;

/**
 * The targets of mutated documents about people: a separate account, so that ending or stopping one affects no other caller.
 * Routes that end their caller's sessions or count guesses at one login have a member each.
 */
export type PeopleSite = {
  readonly office: Tenant;
  /** The office's Owner. */
  readonly manager: WholePerson;
  readonly callbacks: readonly string[];
  readonly beneficiaries: readonly string[];
  /** Select an event that nothing here causes. */
  readonly endpoints: readonly string[];
  readonly invitations: readonly string[];
  /** Changes of limits that wait: asked for by another Admin, or by the manager. */
  readonly changes: { readonly ofAnother: readonly string[]; readonly own: readonly string[] };
  /** Tokens of links in emails; each works once. */
  readonly mailed: {
    readonly verification: string;
    readonly invitation: string;
    readonly reset: string;
  };
  readonly paymentLinks: readonly string[];
  readonly members: readonly string[];
  readonly credentials: readonly string[];
  /** Has passkeys and an unconfirmed authenticator app. */
  readonly holder: WholePerson & { readonly passkeys: readonly string[] };
  /** Has an unconfirmed authenticator app with known codes. */
  readonly enrolling: WholePerson & { readonly code: () => string };
  readonly changing: WholePerson;
  readonly confirming: WholePerson;
  readonly registering: WholePerson;
  /** Signs in with the passkey of that id, or with a recovery code. */
  readonly returning: { readonly passkey: string };
  /** Each has several sessions. */
  readonly ending: { readonly token: string; readonly sessions: readonly string[] };
  readonly leaving: string;
  readonly visitor: TestMember;
  readonly registrations: readonly Proof[];
  readonly passkeyProofs: readonly Proof[];
  readonly codeProofs: readonly Proof[];
};

export const password = "correct horse battery";

type Send = (
  path: string,
  as: string | null,
  type?: string,
  attributes?: JsonObject,
) => Promise<ApiResponse>;

export async function arrangePeople(api: WholeApi): Promise<PeopleSite> {
  const send: Send = (path, as, type, attributes = {}) =>
    api.ask({
      method: "POST",
      path,
      as,
      ...(type === undefined ? {} : { body: { data: { type, attributes } } }),
    });
  const office = await arrangeTenant(api);
  const { accountId } = office;
  const member = () => api.arrangeMember({ accountId, role: "read_only" });
  const person = async () => openPerson(api, await api.arrangeMember({ accountId, role: "admin" }));
  const manager = await openPerson(api, office.owner);
  const members = await Promise.all(Array.from({ length: 20 }, member));
  const [ending, leaving] = [
    await openSessions(send, await member()),
    await openSessions(send, await member()),
  ];
  const registering = await person();
  const confirming = await person();
  const changesOf = (asker: WholePerson) => arrangeChanges(api, accountId, asker.ids.member);
  return {
    office,
    manager,
    registering,
    visitor: await member(),
    leaving: leaving.token,
    callbacks: await arrangeCallbacks(api, office),
    beneficiaries: await arrangeBeneficiaries(api, manager.token),
    endpoints: await arrangeEndpoints(api, manager.token),
    invitations: await arrangeInvitations(api, accountId),
    changes: { ofAnother: await changesOf(confirming), own: await changesOf(manager) },
    // A reset of access voids links, so no other request targets them.
    mailed: await arrangeMailed(api, accountId, [await member(), await member()]),
    paymentLinks: await arrangePaymentLinks(api, manager.token, office.wallets.merchant),
    members: members.map(({ memberId }) => memberId),
    credentials: members.map(({ id }) => id),
    holder: await arrangeHolder(api, await person(), accountId),
    enrolling: await arrangeEnrolling(api, send, await person()),
    changing: await person(),
    confirming,
    ending: { ...ending, sessions: await listSessions(api, ending.token) },
    ...(await arrangeProofs(send, registering, await person())),
  };
}

async function openSessions(
  send: Send,
  { dashboard }: Pick<TestMember, "dashboard">,
): Promise<{ readonly token: string }> {
  const opened = Array.from({ length: 10 }, () =>
    send("/session/", null, "session-token", dashboard),
  );
  const [first] = await Promise.all(opened);
  return { token: present(first, "a session").one.attributes["access"] as string };
}

/** All open sessions of a person but the caller's. */
async function listSessions(api: WholeApi, as: string): Promise<readonly string[]> {
  const { resources } = await api.ask({ method: "GET", path: "/session/?page[size]=100", as });
  return resources
    .filter(({ attributes }) => attributes["is_current"] === false)
    .map(({ id }) => id);
}

/** Canceling writes a status event and so a callback. */
async function arrangeCallbacks(
  api: WholeApi,
  { accountId, token, wallets }: Tenant,
): Promise<readonly string[]> {
  const body = newDeposit(wallets.merchant, { callback_url: "https://shop.example/" }, "1002");
  for (let created = 0; created < 10; created += 1) {
    const id = await arrangeDepositOf(api, token, body);
    await api.ask({ method: "POST", path: `/deposit/${id}/cancel/`, as: token });
  }
  const rows = await api.database.sql<{ id: string }>(
    "select id from callback where account_id = $1",
    [accountId],
  );
  return rows.map(({ id }) => id);
}

export function newBeneficiary(name: string, address: string, attributes: JsonObject): JsonObject {
  return {
    data: {
      type: "beneficiary",
      attributes: { name, address, ...attributes },
      relationships: { currency: { data: { type: "currency", id: "1002" } } },
    },
  };
}

async function arrangeBeneficiaries(api: WholeApi, as: string): Promise<readonly string[]> {
  const created = Array.from({ length: 20 }, async (_, number) => {
    const address = `0x${"2".repeat(38)}${number + 30}`;
    const body = newBeneficiary("Jo Doe", address, {});
    return (await api.ask({ method: "POST", path: "/beneficiary/", as, body })).one.id;
  });
  return Promise.all(created);
}

async function arrangeEndpoints(api: WholeApi, as: string): Promise<readonly string[]> {
  const created = Array.from({ length: 10 }, async () => {
    const request = { method: "POST", path: "/webhook-endpoint/", as, body: newEndpoint("shop") };
    return (await api.ask(request)).one.id;
  });
  return Promise.all(created);
}

export function newPaymentLink(wallet: string): JsonObject {
  return {
    data: {
      type: "payment-link",
      attributes: { name: "Blue teapot", amount: "40.00", ends_at: "2027-01-01T00:00:00Z" },
      relationships: { wallet: { data: { type: "wallet", id: wallet } } },
    },
  };
}

async function arrangePaymentLinks(
  api: WholeApi,
  as: string,
  wallet: string,
): Promise<readonly string[]> {
  const body = newPaymentLink(wallet);
  const created = Array.from(
    { length: 5 },
    async () => (await api.ask({ method: "POST", path: "/payment-link/", as, body })).one.id,
  );
  return Promise.all(created);
}

async function arrangeInvitations(
  { database }: WholeApi,
  accountId: string,
): Promise<readonly string[]> {
  const marks = Array.from({ length: 6 }, (_, number) => `newcomer-${number}`);
  return Promise.all(marks.map((mark) => arrangeInvitation(database, accountId, mark)));
}

async function arrangeChanges(
  { database }: WholeApi,
  accountId: string,
  memberId: string,
): Promise<readonly string[]> {
  const rows = await database.sql<{ id: string }>(
    `insert into protection_change (account_id, kind, subject, currency, span, units, loosens, status, created_by_member_id,
       created_at, expires_at)
     select $1, 'limit', 'limit all 1002 hour of ' || $2 || ' ' || n, '1002', 'hour', n, true, 'waiting', $2::bigint,
       '2026-01-01Z', '2100-01-01Z'
     from generate_series(1, 8) n returning id`,
    [accountId, memberId],
  );
  return rows.map(({ id }) => id);
}

/** Tokens as links in emails contain them; the database holds their digests. */
async function arrangeMailed(
  { database }: WholeApi,
  accountId: string,
  [verifying, resetting]: readonly TestMember[],
): Promise<PeopleSite["mailed"]> {
  const invitation = await arrangeInvitation(database, accountId, "accepting");
  const tokens = {
    verification: "v".repeat(43),
    invitation: "i".repeat(43),
    reset: "r".repeat(43),
  };
  const rows = [
    [tokens.verification, "email_verification", verifying?.memberId ?? "", null],
    [tokens.invitation, "invitation", null, invitation],
    [tokens.reset, "password_reset", resetting?.memberId ?? "", null],
  ];
  await database.sql(
    `insert into member_contact (account_id, member_id, email, unsubscribe_key) values ($1, $2, 'cy@shop.example', 'key')`,
    [accountId, resetting?.memberId ?? ""],
  );
  for (const row of rows)
    await database.sql(
      `insert into email_token (digest, purpose, account_id, member_id, invitation_id, email, created_at, expires_at)
       values (sha256($1::text::bytea), $2, $5, $3, $4, 'cy@shop.example', '2026-01-01Z', '2100-01-01Z')`,
      [...row, accountId],
    );
  return tokens;
}

async function arrangeHolder(
  { database }: WholeApi,
  person: WholePerson,
  accountId: string,
): Promise<PeopleSite["holder"]> {
  const rows = await database.sql<{ id: string }>(
    `insert into passkey (account_id, member_id, name, key_id, public_key, counter, transports, is_backed_up, created_at)
     select $1, $2, 'Phone', 'phone-' || number, '', 0, '{}', false, '2026-01-01' from generate_series(1, 20) number
     returning id`,
    [accountId, person.ids.member],
  );
  return { ...person, passkeys: rows.map(({ id }) => id) };
}

/** The person's authenticator app, replaced so that its secret is known. */
async function arrangeEnrolling(
  api: WholeApi,
  send: Send,
  person: WholePerson,
): Promise<PeopleSite["enrolling"]> {
  const { token, ids } = person;
  await api.ask({ method: "DELETE", path: `/totp/${ids.totp}/`, as: token });
  const { one } = await send("/totp/", token, "totp");
  const totp = new TOTP({ secret: Secret.fromBase32(one.attributes["secret"] as string) });
  return { ...person, ids: { ...ids, totp: one.id }, code: () => totp.generate() };
}

/** Answers to unused challenges: a mutated answer is otherwise correct. */
async function arrangeProofs(
  send: Send,
  registering: WholePerson,
  returning: WholePerson,
): Promise<Pick<PeopleSite, "returning" | "registrations" | "passkeyProofs" | "codeProofs">> {
  const register = async ({ token }: WholePerson, authenticator: Authenticator): Promise<Proof> => {
    const { attributes } = (await send("/passkey/options/", token)).one;
    const response = authenticator.create(attributes["options"] as JsonObject, unchangedCounter);
    return { name: "Laptop", challenge: attributes["challenge"] ?? null, response };
  };
  const ours = createAuthenticator(peopleOrigin);
  const kept = await register(returning, ours);
  const { id: passkey } = (await send("/passkey/", returning.token, "passkey", kept)).one;
  const use = async (): Promise<Proof> => {
    const { attributes } = (await send("/session/passkey-options/", null)).one;
    const response = ours.get(attributes["options"] as JsonObject, unchangedCounter);
    return { challenge: attributes["challenge"] ?? null, response };
  };
  const recovery = await send("/recovery-code/", returning.token);
  const login = `person-${returning.ids.member}`;
  const prove = async (code: string): Promise<Proof> => {
    const { errors } = await send("/session/", null, "session-token", { login, password });
    return { challenge: errors[0]?.meta?.["challenge"] ?? null, code };
  };
  const times = Array.from({ length: 40 }, (_, number) => number);
  return {
    returning: { passkey },
    registrations: await Promise.all(
      times.map(() => register(registering, createAuthenticator(peopleOrigin))),
    ),
    passkeyProofs: await Promise.all(times.map(use)),
    codeProofs: await Promise.all(
      (recovery.one.attributes["codes"] as readonly string[]).map(prove),
    ),
  };
}

/** Authenticators without a counter may answer in any order. */
const unchangedCounter = { counter: 0 };
