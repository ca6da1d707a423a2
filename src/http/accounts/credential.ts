import type { PeopleContext } from "../../accounts/people/context.ts";
import {
  addProgramCredential,
  changeProgramCredential,
  designateProgramCredential,
  findProgramCredential,
  listProgramCredentials,
  revokeProgramCredential,
} from "../../accounts/team/change-credentials.ts";
import type { ProgramCredential } from "../../accounts/team/program-credential.ts";
import { requireAdministratingPerson } from "../../accounts/team/require-administrator.ts";
import { parseNetwork } from "../../accounts/tokens/allowed-network.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { JsonValue } from "../../platform/kernel/json.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import { Rejected, reject, rejection } from "../../platform/kernel/rejection.ts";
import { toOne } from "../../platform/kernel/resource-object.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import { wholeNumber } from "../../platform/resources/filters.ts";
import {
  boolean,
  described,
  nullable,
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

const labelMax = 64;
const networksMax = 100;

const credentialResource = defineResource({
  type: "credential",
  description: "A login by which a program acts as a member, at /token/.",
  attributes: {
    label: text,
    login: text,
    member_name: text,
    allowed_networks: described(
      { type: "array", items: text },
      "Networks in CIDR notation that it may be used from; empty: any address.",
    ),
    is_designated: described(boolean, "Its key signs callbacks of what people create."),
    created_at: timestamp,
    revoked_at: nullable(timestamp),
    last_used_at: described(
      nullable(timestamp),
      "When it last opened a session; null also where that was more than a day ago.",
    ),
    password: described(text, "Shown this once."),
  },
  sometimes: ["password"],
  relationships: { member: { resource: "member", includable: false } },
  filters: {
    member: wholeNumber(18),
    is_revoked: { lookup: "exact", value: "boolean" },
  },
  sortable: ["created_at", "label"],
  defaultSort: "-created_at",
});

const networksField = {
  kind: "Field",
  description: "List of networks in CIDR notation or single addresses, IPv4 and IPv6.",
} as const;

const newCredential = defineDocument({
  type: "credential",
  fields: {
    member: { kind: "Relationship", resource: "member", required: true },
    label: { kind: "String", maxLength: labelMax },
    allowed_networks: networksField,
  },
});

const credentialPatch = defineDocument({
  type: "credential",
  partial: true,
  fields: {
    label: { kind: "String", maxLength: labelMax },
    allowed_networks: networksField,
    confirm: {
      kind: "Boolean",
      description: "True: the list may leave out the address that asks.",
    },
  },
});

/** `/credential/`: the logins of programs. */
export function credentialRoutes(context: PeopleContext): readonly Route[] {
  return [
    listRoute({
      path: "/credential/",
      summary: "List API credentials",
      description: "For Owner and Admin. Revoked ones stay.",
      resource: credentialResource,
      list: async ({ principal }, query) =>
        mapPage(await listProgramCredentials(context, principal, query), (one) => render(one)),
    }),
    getRoute({
      path: "/credential/{id}/",
      summary: "Get an API credential",
      description: "For Owner and Admin.",
      resource: credentialResource,
      find: async ({ principal, id }) =>
        rendered(await findProgramCredential(context, principal, id)),
    }),
    createRoute({
      path: "/credential/",
      summary: "Make an API credential",
      description:
        "For people who are Owner or Admin, within five minutes of proving who they are. The password is shown this once.",
      resource: credentialResource,
      document: newCredential,
      assertAllowed: requireAdministratingPerson,
      create: async ({ principal }, { member, label, allowed_networks }) => {
        if (!isObjectId(member))
          reject("invalidValue", "The account has no such active member.", {
            pointer: "/data/relationships/member",
          });
        const made = await addProgramCredential(context, principal, {
          memberId: member,
          label: label ?? "",
          allowedNetworks: readNetworks(allowed_networks),
        });
        return render(made.credential, made.password);
      },
    }),
    patchRoute({
      path: "/credential/{id}/",
      summary: "Change an API credential's label or allow-list",
      description: "For people who are Owner or Admin.",
      resource: credentialResource,
      document: credentialPatch,
      assertAllowed: requireAdministratingPerson,
      patch: async ({ principal, id, ip }, { label, allowed_networks, confirm }) => {
        const change = {
          label: label === undefined ? null : (label ?? ""),
          allowedNetworks: allowed_networks === undefined ? null : readNetworks(allowed_networks),
          isConfirmed: confirm === true,
        };
        return rendered(await changeProgramCredential(context, principal, id, change, ip));
      },
    }),
    actionRoute({
      path: "/credential/{id}/revoke/",
      summary: "Revoke an API credential",
      description:
        "For people who are Owner or Admin. Its tokens are refused at once; its key signs on for what it created.",
      resource: credentialResource,
      act: async ({ principal, id }) =>
        rendered(await revokeProgramCredential(context, principal, id)),
    }),
    actionRoute({
      path: "/credential/{id}/designate/",
      summary: "Let an API credential sign callbacks of what people create",
      description: "For people who are Owner or Admin.",
      resource: credentialResource,
      act: async ({ principal, id }) =>
        rendered(await designateProgramCredential(context, principal, id)),
    }),
  ];
}

/** Reads an allow-list; null is an empty one. Rejects `invalidValue` with a pointer to each fault. */
function readNetworks(value: JsonValue): readonly string[] {
  const pointer = "/data/attributes/allowed_networks";
  if (value === null) return [];
  if (!Array.isArray(value) || value.length > networksMax)
    reject("invalidValue", `This must be a list of at most ${networksMax} networks.`, { pointer });
  const items = value as readonly JsonValue[];
  const networks = items.map((item) =>
    typeof item === "string" ? parseNetwork(item.trim()) : null,
  );
  const faults = networks.flatMap((network, index) =>
    network === null
      ? [
          rejection("invalidValue", "This is no network in CIDR notation and no address.", {
            pointer: `${pointer}/${index}`,
          }),
        ]
      : [],
  );
  const [first, ...others] = faults;
  if (first !== undefined) throw new Rejected(first, ...others);
  return networks.map((network) => present(network, "a network that was read"));
}

function rendered(
  credential: ProgramCredential | null,
): ResourceOf<typeof credentialResource> | null {
  return credential === null ? null : render(credential);
}

function render(
  credential: ProgramCredential,
  password: string | null = null,
): ResourceOf<typeof credentialResource> {
  return {
    type: "credential",
    id: credential.id,
    attributes: {
      label: credential.label,
      login: credential.login,
      member_name: credential.memberName,
      allowed_networks: credential.allowedNetworks,
      is_designated: credential.isDesignated,
      created_at: formatTimestamp(credential.createdAt),
      revoked_at: formatTimestampOrNull(credential.revokedAt),
      last_used_at: formatTimestampOrNull(credential.lastUsedAt),
      ...(password === null ? {} : { password }),
    },
    relationships: { member: toOne("member", credential.memberId) },
  };
}
