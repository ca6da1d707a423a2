import { type AdministrationContext, ownTarget } from "../../accounts/actor.ts";
import { memberNameMax } from "../../accounts/members/assert-member-change.ts";
import {
  activateMember,
  changeMember,
  deactivateMember,
} from "../../accounts/members/change-member.ts";
import { confirmMember } from "../../accounts/members/confirm-member.ts";
import { createMember } from "../../accounts/members/create-member.ts";
import { findMember, listMembers } from "../../accounts/members/find-member.ts";
import type { Member } from "../../accounts/members/member.ts";
import type { InitialLogin } from "../../accounts/members/person-login.ts";
import { resetAccess } from "../../accounts/members/reset-access.ts";
import { roles, type WalletRights } from "../../accounts/principal.ts";
import type { JsonValue } from "../../platform/kernel/json.ts";
import { listInMemory, type MemoryList } from "../../platform/kernel/list-in-memory.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import {
  defineResource,
  type FilterName,
  type ResourceOf,
} from "../../platform/resources/define-resource.ts";
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
import { assertMayAdminister, onOwn } from "./administration.ts";
import { readGrants, renderGrants, walletGrants } from "./wallet-grants.ts";

const roleChoices = roles.map((role) => ({ value: role, name: role.replaceAll("_", " ") }));

const memberResource = defineResource({
  type: "member",
  description: "A person or a program that acts for the account.",
  attributes: {
    name: text,
    role: oneOf(roleChoices),
    all_wallets: described(
      boolean,
      "True: sees all wallets and, if its role allows it, pays from them.",
    ),
    wallet_grants: walletGrants,
    is_active: boolean,
    created_at: timestamp,
    deactivated_at: nullable(timestamp),
    created_by: described(
      nullable(text),
      "Id of the member who created this one. Null: created by the operator.",
    ),
    confirmed_at: described(
      nullable(timestamp),
      "When another Owner or the operator confirmed the member. Null after a member resets its access.",
    ),
    needs_confirmation: described(
      boolean,
      "True when the account has several Owners, another member gave this one its access, and no other Owner has confirmed it. It then cannot approve payouts above the account's limits.",
    ),
    login: described(
      nullable(text),
      "The person's login. Null if only programs act as this member.",
    ),
    must_change_password: boolean,
    has_totp: boolean,
    passkey_count: integer,
    last_seen_at: described(nullable(timestamp), "When a session of the member was last used."),
    initial_password: described(
      text,
      "Returned only once. The person must change it at the first sign-in.",
    ),
  },
  sometimes: ["initial_password"],
  filters: {
    role: { lookup: "exact", choices: roleChoices },
    is_active: { lookup: "exact", value: "boolean" },
    name: containedText(memberNameMax),
  },
  sortable: ["name", "created_at", "role"],
});

const grantsField = {
  kind: "Field",
  description:
    "List of {wallet, may_pay}. Without all_wallets, the member sees only these wallets.",
} as const;

const newMember = defineDocument({
  type: "member",
  fields: {
    name: { kind: "String", required: true, maxLength: memberNameMax },
    role: { kind: "Choice", choices: roleChoices, required: true },
    all_wallets: { kind: "Boolean", description: "Default: true unless wallets are granted." },
    wallet_grants: grantsField,
    login: {
      kind: "String",
      maxLength: 128,
      description: "Makes the member a person who signs in with an initial password.",
    },
  },
});

const memberPatch = defineDocument({
  type: "member",
  partial: true,
  fields: {
    name: { kind: "String", required: true, maxLength: memberNameMax },
    role: { kind: "Choice", choices: roleChoices, required: true },
    all_wallets: { kind: "Boolean", required: true },
    wallet_grants: grantsField,
  },
});

const accessDocument = defineDocument({
  type: "member",
  fields: {
    login: { kind: "String", maxLength: 128, description: "Default: the member's current login." },
  },
});

const memberList: MemoryList<Member, FilterName<typeof memberResource>> = {
  id: (member) => member.id,
  filters: {
    role: (member, text) => member.role === text,
    is_active: (member, text) => (member.deactivatedAt === null) === /^(true|1)$/i.test(text),
    name: (member, text) => member.name.toLowerCase().includes(text.toLowerCase()),
  },
  sort: {
    name: (member) => member.name,
    created_at: (member) => member.createdAt,
    role: (member) => member.role,
  },
};

const confirmed =
  "For people who are Owner or Admin and entered their password or second factor within the last five minutes.";

/** `/member/`: the people and programs that act for the account. */
export function memberRoutes(context: AdministrationContext): readonly Route[] {
  const own = onOwn(context, (member: Member) => renderMember(member));
  return [
    listRoute({
      path: "/member/",
      summary: "List members",
      description: "For Owner and Admin.",
      resource: memberResource,
      list: async ({ principal }, query) => {
        const members = await listMembers(context, principal, principal.accountId);
        return mapPage(listInMemory(members, memberList, query), (member) => renderMember(member));
      },
    }),
    getRoute({
      path: "/member/{id}/",
      summary: "Get a member",
      description: "For Owner and Admin.",
      resource: memberResource,
      find: own(findMember),
    }),
    createRoute({
      path: "/member/",
      summary: "Create a member",
      description: `${confirmed} Members grant only rights that they have.`,
      resource: memberResource,
      document: newMember,
      assertAllowed: assertMayAdminister,
      create: async ({ principal }, { name, role, login, all_wallets, wallet_grants }) => {
        const wallets = walletsOf(all_wallets ?? undefined, wallet_grants ?? undefined) ?? "all";
        const input = { accountId: principal.accountId, name, role, login, wallets };
        const { member, access } = await createMember(context, principal, input);
        return renderMember(member, access);
      },
    }),
    patchRoute({
      path: "/member/{id}/",
      summary: "Change a member's name, role or wallets",
      description: "For people who are Owner or Admin. An account keeps at least one active Owner.",
      resource: memberResource,
      document: memberPatch,
      assertAllowed: assertMayAdminister,
      patch: (request, { name, role, all_wallets, wallet_grants }) => {
        const change = { name, role, wallets: walletsOf(all_wallets, wallet_grants) };
        return own((...of) => changeMember(...of, change))(request);
      },
    }),
    ...memberActionRoutes(context),
  ];
}

function memberActionRoutes(context: AdministrationContext): readonly Route[] {
  const own = onOwn(context, (member: Member) => renderMember(member));
  return [
    actionRoute({
      path: "/member/{id}/deactivate/",
      summary: "Deactivate a member",
      description:
        "For people who are Owner or Admin. Ends the member's sessions at once; its credentials are refused while it is inactive.",
      resource: memberResource,
      act: own(deactivateMember),
    }),
    actionRoute({
      path: "/member/{id}/activate/",
      summary: "Activate a member",
      description: "For people who are Owner or Admin.",
      resource: memberResource,
      act: own(activateMember),
    }),
    actionRoute({
      path: "/member/{id}/confirm/",
      summary: "Confirm a member",
      description:
        "For people who are Owner, did not give the member its access, and entered their password or second factor within the last five minutes. A confirmed member stays confirmed.",
      resource: memberResource,
      act: own(confirmMember),
    }),
    actionRoute({
      path: "/member/{id}/reset-access/",
      summary: "Reset a member's access",
      description: `${confirmed} The member gets an initial password; its second factors and email address are removed, and its sessions end.`,
      resource: memberResource,
      document: accessDocument,
      act: async ({ principal, id }, { login }) => {
        const reset = await resetAccess(context, principal, ownTarget(principal, id), login);
        return reset === null ? null : renderMember(reset.member, reset.access);
      },
    }),
  ];
}

/** The requested wallet rights; undefined when the request contains none. */
function walletsOf(
  all: boolean | undefined,
  grants: JsonValue | undefined,
): WalletRights | undefined {
  if (all === true) return "all";
  if (all === undefined && (grants === undefined || grants === null)) return undefined;
  return readGrants(grants ?? null);
}

/** A member as the API shows it, with the initial password if one was just issued. */
export function renderMember(
  member: Member,
  access: InitialLogin | null = null,
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
