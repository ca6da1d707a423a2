import type { AdministrationContext } from "../../accounts/actor.ts";
import { readNetworks } from "../../accounts/credentials/allowed-networks.ts";
import {
  changeCredential,
  designateCredential,
  revokeCredential,
} from "../../accounts/credentials/change-credential.ts";
import { createCredential } from "../../accounts/credentials/create-credential.ts";
import { type Credential, credentialLabelMax } from "../../accounts/credentials/credential.ts";
import { findCredential, listCredentials } from "../../accounts/credentials/find-credential.ts";
import { listInMemory, type MemoryList } from "../../platform/kernel/list-in-memory.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { toOne } from "../../platform/kernel/resource-object.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import {
  defineResource,
  type FilterName,
  type ResourceOf,
} from "../../platform/resources/define-resource.ts";
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
import { assertMayAdminister, onOwn } from "./administration.ts";

const credentialResource = defineResource({
  type: "credential",
  description: "A login with which a program acts as a member, at /token/.",
  attributes: {
    label: text,
    login: text,
    member_name: text,
    allowed_networks: described(
      { type: "array", items: text },
      "Networks in CIDR notation from which the credential may be used. Empty: from any address.",
    ),
    is_designated: described(
      boolean,
      "Whether its key signs callbacks for objects created in the dashboard.",
    ),
    created_at: timestamp,
    revoked_at: nullable(timestamp),
    last_used_at: described(
      nullable(timestamp),
      "When it last started a session. Null if never, or more than a day ago.",
    ),
    password: described(text, "Returned only once."),
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
  description: "List of networks in CIDR notation or single addresses, IPv4 or IPv6.",
} as const;

const newCredential = defineDocument({
  type: "credential",
  fields: {
    member: { kind: "Relationship", resource: "member", required: true },
    label: { kind: "String", maxLength: credentialLabelMax },
    allowed_networks: networksField,
  },
});

const credentialPatch = defineDocument({
  type: "credential",
  partial: true,
  fields: {
    label: { kind: "String", maxLength: credentialLabelMax },
    allowed_networks: networksField,
    confirm: {
      kind: "Boolean",
      description: "True: accept a list that does not contain the address of this request.",
    },
  },
});

const credentialList: MemoryList<Credential, FilterName<typeof credentialResource>> = {
  id: (credential) => credential.id,
  filters: {
    member: (credential, text) => credential.memberId === text,
    is_revoked: (credential, text) => (credential.revokedAt !== null) === /^(true|1)$/i.test(text),
  },
  sort: {
    created_at: (credential) => credential.createdAt,
    label: (credential) => credential.label,
  },
};

/** `/credential/`: the logins of programs. */
export function credentialRoutes(context: AdministrationContext): readonly Route[] {
  const own = onOwn(context, (credential: Credential) => renderCredential(credential));
  return [
    listRoute({
      path: "/credential/",
      summary: "List API keys",
      description: "For Owner and Admin. Includes revoked credentials.",
      resource: credentialResource,
      list: async ({ principal }, query) => {
        const credentials = await listCredentials(context, principal, principal.accountId);
        return mapPage(listInMemory(credentials, credentialList, query), (credential) =>
          renderCredential(credential),
        );
      },
    }),
    getRoute({
      path: "/credential/{id}/",
      summary: "Get an API key",
      description: "For Owner and Admin.",
      resource: credentialResource,
      find: own(findCredential),
    }),
    createRoute({
      path: "/credential/",
      summary: "Create an API key",
      description:
        "For people who are Owner or Admin and entered their password or second factor within the last five minutes. The password is returned only once.",
      resource: credentialResource,
      document: newCredential,
      assertAllowed: assertMayAdminister,
      create: async ({ principal }, { member, label, allowed_networks }) => {
        const created = await createCredential(context, principal, {
          accountId: principal.accountId,
          memberId: member,
          label: label ?? "",
          allowedNetworks: readNetworks(allowed_networks),
        });
        return renderCredential(created.credential, created.password);
      },
    }),
    patchRoute({
      path: "/credential/{id}/",
      summary: "Change an API key's label or allowed networks",
      description: "For people who are Owner or Admin.",
      resource: credentialResource,
      document: credentialPatch,
      assertAllowed: assertMayAdminister,
      patch: (request, { label, allowed_networks, confirm }) => {
        const change = {
          label: label === undefined ? null : (label ?? ""),
          allowedNetworks: allowed_networks === undefined ? null : readNetworks(allowed_networks),
          requiredAddress: confirm === true ? null : request.ip,
        };
        return own((...of) => changeCredential(...of, change))(request);
      },
    }),
    actionRoute({
      path: "/credential/{id}/revoke/",
      summary: "Revoke an API key",
      description:
        "For people who are Owner or Admin. Its tokens are rejected at once. Its key keeps signing callbacks for the objects it created.",
      resource: credentialResource,
      act: own(revokeCredential),
    }),
    actionRoute({
      path: "/credential/{id}/designate/",
      summary: "Use an API key to sign callbacks for objects created in the dashboard",
      description: "For people who are Owner or Admin and see all wallets.",
      resource: credentialResource,
      act: own(designateCredential),
    }),
  ];
}

/** A credential as the API shows it, with the password if it was just created. */
export function renderCredential(
  credential: Credential,
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
