import type { JsonObject } from "../../src/platform/kernel/json.ts";
import type { TestMember } from "./test-accounts.ts";
import type { WholeApi } from "./whole-api.ts";

/** A person with a session, an unconfirmed authenticator app and a passkey. */
export type WholePerson = {
  readonly token: string;
  readonly ids: {
    readonly session: string;
    readonly totp: string;
    readonly passkey: string;
    readonly "push-subscription": string;
    readonly member: string;
    readonly credential: string;
    readonly "audit-entry": string;
  };
};

/** Signs a member in as a person who has chosen their own login. */
export async function openPerson(api: WholeApi, member: TestMember): Promise<WholePerson> {
  const { dashboard, accountId, memberId } = member;
  const send = (path: string, as: string | null, type: string, attributes: JsonObject) =>
    api.ask({ method: "POST", path, as, body: { data: { type, attributes } } });
  const opened = await send("/session/", null, "session-token", dashboard);
  const token = opened.one.attributes["access"] as string;
  const own = { login: `person-${memberId}`, password: "correct horse battery" };
  await send("/me/password/", token, "me", own);
  const totp = await send("/totp/", token, "totp", {});
  // passkey.test.ts tests the authenticator's part.
  const [passkey] = await api.database.sql<{ id: string }>(
    `insert into passkey (account_id, member_id, name, key_id, public_key, counter, transports, is_backed_up, created_at)
     values ($1, $2, 'Laptop', $3, '', 0, '{}', false, '2026-01-01') returning id`,
    [accountId, memberId, `key-${memberId}`],
  );
  const subscribed = await send("/push-subscription/", token, "push-subscription", {
    endpoint: `https://push.example/${memberId}`,
    p256dh:
      "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
  });
  const first = async (path: string) =>
    (await api.ask({ method: "GET", path, as: token })).resources[0]?.id ?? "";
  return {
    token,
    ids: {
      session: await first("/session/"),
      totp: totp.one.id,
      passkey: passkey?.id ?? "",
      "push-subscription": subscribed.one.id,
      member: memberId,
      credential: member.id,
      "audit-entry": await first("/audit-entry/"),
    },
  };
}
