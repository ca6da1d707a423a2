import type { MemberRecord } from "../../accounts/member-record.ts";
import type { PeopleContext } from "../../accounts/people/context.ts";
import { roles, type WalletRights } from "../../accounts/principal.ts";
import {
  addTeamMember,
  changeTeamMember,
  setMemberActive,
} from "../../accounts/team/change-members.ts";
import { confirmMember } from "../../accounts/team/confirm-member.ts";
import { type GivenAccess, resetAccess } from "../../accounts/team/give-access.ts";
import { findTeamMember, listTeam } from "../../accounts/team/list-team.ts";
import { requireAdministratingPerson } from "../../accounts/team/require-administrator.ts";
import type { JsonValue } from "../../platform/kernel/json.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import { containedText } from "../../platform/resources/filters.ts";
import {
  boolean,
  described,
  integer,
  nullable,
  oneOf,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";
import {
  actionRoute,
  createRoute,
  getRoute,
  listRoute,
  patchRoute,
  type Route,
} from "../server/route.ts";
import { readGrants, renderGrants, walletGrants } from "./wallet-grants.ts";

const nameMax = 64;
const roleChoices = roles.map((role) => ({ value: role, name: role.replaceAll("_", " ") }));

const memberResource = defineResource({
  type: "member",
  description: "A person or a program that acts for the account.",
  attributes: {
    name: text,
    role: oneOf(roleChoices),
    all_wallets: described(boolean, "Sees all wallets and may, by its role, pay from them."),
    wallet_grants: walletGrants,
    is_active: boolean,
    created_at: timestamp,
    deactivated_at: nullable(timestamp),
    created_by: described(nullable(text), "Id of the member who added it; null: the operator did."),
    confirmed_at: described(
      nullable(timestamp),
      "When another Owner or the operator confirmed it; null again once a member resets its access.",
    ),
    needs_confirmation: described(
      boolean,
      "The account has several Owners, one member gave this one its access, and no other Owner has confirmed it: it approves no payout above the account's limits.",
    ),
    login: described(nullable(text), "Of a person; null where programs act alone."),
    must_change_password: boolean,
    has_totp: boolean,
    passkey_count: integer,
    last_seen_at: described(nullable(timestamp), "When a session of theirs was last used."),
    initial_password: described(
      text,
      "Shown this once, to hand over: its person changes it before anything else.",
    ),
  },
  sometimes: ["initial_password"],
  relationships: {},
  filters: {
    role: { lookup: "exact", choices: roleChoices },
    is_active: { lookup: "exact", value: "boolean" },
    name: containedText(nameMax),
  },
  sortable: ["name", "created_at", "role"],
  defaultSort: "id",
});

const grantsField = {
  kind: "Field",
  description: "List of {wallet, may_pay}; without all_wallets only these.",
} as const;

const newMember = defineDocument({
  type: "member",
  fields: {
    name: { kind: "String", required: true, maxLength: nameMax },
    role: { kind: "Choice", choices: roleChoices, required: true },
    all_wallets: { kind: "Boolean", description: "Default: true unless wallets are granted." },
    wallet_grants: grantsField,
    login: {
      kind: "String",
      maxLength: 128,
      description: "Makes the member a person, with a first password to hand over.",
    },
  },
});

const memberPatch = defineDocument({
  type: "member",
  partial: true,
  fields: {
    name: { kind: "String", required: true, maxLength: nameMax },
    role: { kind: "Choice", choices: roleChoices, required: true },
    all_wallets: { kind: "Boolean", required: true },
    wallet_grants: grantsField,
  },
});

const accessDocument = defineDocument({
  type: "member",
  fields: {
    login: { kind: "String", maxLength: 128, description: "Default: the one they have." },
  },
});

/** `/member/`: who acts for the account. */
export function memberRoutes(context: PeopleContext): readonly Route[] {
  return [
    listRoute({
      path: "/member/",
      summary: "List members",
      description: "For Owner and Admin.",
      resource: memberResource,
      list: async ({ principal }, query) =>
        mapPage(await listTeam(context, principal, query), (member) => renderMember(member)),
    }),
    getRoute({
      path: "/member/{id}/",
      summary: "Get a member",
      description: "For Owner and Admin.",
      resource: memberResource,
      find: async ({ principal, id }) => rendered(await findTeamMember(context, principal, id)),
    }),
    createRoute({
      path: "/member/",
      summary: "Add a member",
      description:
        "For people who are Owner or Admin, within five minutes of proving who they are. Nobody gives rights that they do not have.",
      resource: memberResource,
      document: newMember,
      assertAllowed: requireAdministratingPerson,
      create: async ({ principal }, { name, role, login, all_wallets, wallet_grants }) => {
        const wallets = walletsOf(all_wallets ?? undefined, wallet_grants ?? undefined) ?? "all";
        const input = { name, role, login, wallets };
        const { member, access } = await addTeamMember(context, principal, input);
        return renderMember(member, access);
      },
    }),
    patchRoute({
      path: "/member/{id}/",
      summary: "Change a member's name, role or wallets",
      description: "For people who are Owner or Admin. One active Owner stays.",
      resource: memberResource,
      document: memberPatch,
      assertAllowed: requireAdministratingPerson,
      patch: async ({ principal, id }, { name, role, all_wallets, wallet_grants }) => {
        const wallets = walletsOf(all_wallets, wallet_grants);
        return rendered(await changeTeamMember(context, principal, id, { name, role, wallets }));
      },
    }),
    ...accessRoutes(context),
  ];
}

function accessRoutes(context: PeopleContext): readonly Route[] {
  return [
    actionRoute({
      path: "/member/{id}/deactivate/",
      summary: "End a member",
      description:
        "For people who are Owner or Admin. Its sessions end at once, and its credentials are refused while it is inactive.",
      resource: memberResource,
      act: async ({ principal, id }) =>
        rendered(await setMemberActive(context, principal, id, false)),
    }),
    actionRoute({
      path: "/member/{id}/activate/",
      summary: "Take a member back",
      description: "For people who are Owner or Admin.",
      resource: memberResource,
      act: async ({ principal, id }) =>
        rendered(await setMemberActive(context, principal, id, true)),
    }),
    actionRoute({
      path: "/member/{id}/confirm/",
      summary: "Confirm a member whom another Owner added",
      description:
        "For people who are Owner, within five minutes of proving who they are; not for whoever gave the member its access. A member that is confirmed stays so.",
      resource: memberResource,
      act: async ({ principal, id }) => rendered(await confirmMember(context, principal, id)),
    }),
    actionRoute({
      path: "/member/{id}/reset-access/",
      summary: "Give a member a first password",
      description:
        "For people who are Owner or Admin, within five minutes of proving who they are. Factors are removed and sessions end.",
      resource: memberResource,
      document: accessDocument,
      act: async ({ principal, id }, { login }) => {
        const given = await resetAccess(context, principal, id, login);
        return given === null ? null : renderMember(given.member, given.access);
      },
    }),
  ];
}

/** Undefined: nothing is said of wallets. */
function walletsOf(
  all: boolean | undefined,
  grants: JsonValue | undefined,
): WalletRights | undefined {
  if (all === true) return "all";
  if (all === undefined && (grants === undefined || grants === null)) return undefined;
  return readGrants(grants ?? null);
}

function rendered(member: MemberRecord | null): ResourceOf<typeof memberResource> | null {
  return member === null ? null : renderMember(member);
}

function renderMember(
  member: MemberRecord,
  access: GivenAccess | null = null,
): ResourceOf<typeof memberResource> {
  return {
    type: "member",
    id: member.id,
    attributes: {
      name: member.name,
      role: member.role,
      all_wallets: member.wallets === "all",
      wallet_grants: renderGrants(member.wallets),
      is_active: member.deactivatedAt === null,
      created_at: formatTimestamp(member.createdAt),
      deactivated_at: formatTimestampOrNull(member.deactivatedAt),
      created_by: member.createdByMemberId,
      confirmed_at: formatTimestampOrNull(member.confirmedAt),
      needs_confirmation: member.needsConfirmation,
      login: member.login,
      must_change_password: member.mustChangePassword,
      has_totp: member.hasTotp,
      passkey_count: member.passkeys,
      last_seen_at: formatTimestampOrNull(member.lastSeenAt),
      ...(access === null ? {} : { initial_password: access.password }),
    },
  };
}
