import { changePassword } from "../../accounts/people/change-password.ts";
import type { PeopleContext } from "../../accounts/people/context.ts";
import { type Me, readMe } from "../../accounts/people/read-me.ts";
import { type Principal, roles } from "../../accounts/principal.ts";
import { formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import {
  boolean,
  described,
  integer,
  nullable,
  oneOf,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";
import { actionRoute, getRoute, type Route } from "../server/route.ts";
import { renderGrants, walletGrants } from "./wallet-grants.ts";

const meResource = defineResource({
  type: "me",
  description: "The caller and its rights. The id is the member's.",
  attributes: {
    name: text,
    role: oneOf(roles.map((role) => ({ value: role, name: role.replaceAll("_", " ") }))),
    account_id: text,
    account_name: text,
    is_account_ready: described(boolean, "False while registration or KYC is incomplete."),
    is_person: described(boolean, "False: a program with a credential."),
    all_wallets: boolean,
    wallet_grants: walletGrants,
    login: described(
      nullable(text),
      "The member's login for the dashboard; null when it has none.",
    ),
    must_change_password: described(
      boolean,
      "True: the initial password must be changed before anything else is shown.",
    ),
    has_totp: boolean,
    passkey_count: integer,
    recovery_codes_left: integer,
    session_id: nullable(text),
    confirmed_until: described(nullable(timestamp), "Until when the identity counts as confirmed."),
    operates_deployment: described(
      boolean,
      "Whether the caller may view the state of the whole deployment and stop all payouts.",
    ),
    is_sandbox: described(boolean, "True on private chains, where money has no value."),
  },
});

const newPassword = defineDocument({
  type: "me",
  fields: {
    login: { kind: "String", maxLength: 128, description: "Default: the current login." },
    password: { kind: "String", required: true, maxLength: 200 },
  },
});

/** `GET /me/` and the caller's own password. */
export function meRoutes(context: PeopleContext): readonly Route[] {
  return [
    getRoute({
      path: "/me/",
      summary: "Get the signed-in member",
      resource: meResource,
      find: async ({ principal }) =>
        renderMe(await readMe(context, principal), principal, context.people),
    }),
    actionRoute({
      path: "/me/password/",
      summary: "Change your login and password",
      description:
        "Ends the caller's other sessions. For people who entered their password or second factor within the last five minutes.",
      resource: meResource,
      document: newPassword,
      act: async ({ principal }, input) => {
        await changePassword(context, principal, input);
        return renderMe(await readMe(context, principal), principal, context.people);
      },
    }),
  ];
}

function renderMe(
  me: Me,
  principal: Principal,
  { isSandbox }: PeopleContext["people"],
): ResourceOf<typeof meResource> {
  return {
    type: "me",
    id: me.memberId,
    attributes: {
      name: me.name,
      role: me.role,
      account_id: principal.accountId,
      account_name: me.accountName,
      is_account_ready: principal.accountIsReady,
      is_person: principal.person !== undefined,
      all_wallets: me.wallets === "all",
      wallet_grants: renderGrants(me.wallets),
      login: me.login,
      must_change_password: me.mustChangePassword,
      has_totp: me.factors.hasTotp,
      passkey_count: me.factors.passkeys,
      recovery_codes_left: me.factors.recoveryCodesLeft,
      session_id: me.sessionId,
      confirmed_until: formatTimestampOrNull(me.confirmedUntil),
      operates_deployment: me.isOperator,
      is_sandbox: isSandbox,
    },
  };
}
