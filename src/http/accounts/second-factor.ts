import {
  listPasskeys,
  removeOwnPasskey,
  renamePasskey,
} from "../../accounts/people/change-passkeys.ts";
import type { PeopleContext } from "../../accounts/people/context.ts";
import {
  confirmTotp,
  enrollTotp,
  findOwnTotp,
  removeOwnTotp,
} from "../../accounts/people/enroll-totp.ts";
import type { Passkey } from "../../accounts/people/passkey.ts";
import { renewRecoveryCodes } from "../../accounts/people/recovery-code.ts";
import {
  beginPasskeyRegistration,
  finishPasskeyRegistration,
} from "../../accounts/people/register-passkey.ts";
import { requirePerson } from "../../accounts/people/require-person.ts";
import type { StoredTotp } from "../../accounts/people/totp.ts";
import { listInMemory } from "../../platform/kernel/list-in-memory.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import {
  boolean,
  described,
  nullable,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";
import { deleteRoute } from "../server/delete-route.ts";
import {
  actionRoute,
  createRoute,
  getRoute,
  listRoute,
  patchRoute,
  type Route,
} from "../server/route.ts";
import { passkeyCeremonyResource, renderCeremony } from "./session-factor.ts";

const nameMax = 64;

const totpResource = defineResource({
  type: "totp",
  description: "The caller's authenticator app. It takes effect once it is confirmed.",
  attributes: {
    is_confirmed: boolean,
    created_at: timestamp,
    confirmed_at: nullable(timestamp),
    secret: described(text, "Base32. Returned only when the app is added."),
    uri: described(text, "otpauth: URI for a QR code. Returned only when the app is added."),
  },
  sometimes: ["secret", "uri"],
});

const recoveryCodeResource = defineResource({
  type: "recovery-code",
  description: "Codes that each replace a second factor once.",
  attributes: { codes: { type: "array", items: text } },
});

const passkeyResource = defineResource({
  type: "passkey",
  description: "One of the caller's passkeys.",
  attributes: {
    name: text,
    is_backed_up: described(boolean, "Whether the passkey is synchronized to the vendor's cloud."),
    created_at: timestamp,
    last_used_at: nullable(timestamp),
  },
  sortable: ["created_at"],
  defaultSort: "-created_at",
});

const totpDocument = defineDocument({ type: "totp", fields: {} });
const totpList = { id: ({ id }: { readonly id: string }) => id, filters: {}, sort: {} };

const totpCode = defineDocument({
  type: "totp",
  fields: { code: { kind: "String", required: true, maxLength: 16 } },
});
const newPasskey = defineDocument({
  type: "passkey",
  fields: {
    name: { kind: "String", required: true, maxLength: nameMax },
    challenge: { kind: "String", required: true, maxLength: 100 },
    response: { kind: "Field", required: true, description: "The browser's credential as JSON." },
  },
});
const passkeyPatch = defineDocument({
  type: "passkey",
  partial: true,
  fields: { name: { kind: "String", required: true, maxLength: nameMax } },
});

/** Routes of the caller's own second factors. */
export function secondFactorRoutes(context: PeopleContext): readonly Route[] {
  return [...totpRoutes(context), ...passkeyRoutes(context)];
}

function totpRoutes(context: PeopleContext): readonly Route[] {
  return [
    {
      ...createRoute({
        path: "/totp/",
        summary: "Set up an authenticator app",
        description: "The app takes effect once it is confirmed with a code.",
        resource: totpResource,
        document: totpDocument,
        create: async ({ principal }) => {
          const { totp, secret, uri } = await enrollTotp(context, principal);
          const { attributes, ...resource } = renderTotp(totp);
          return { ...resource, attributes: { ...attributes, secret, uri } };
        },
      }),
      // The request needs no attributes.
      document: null,
    },
    getRoute({
      path: "/totp/{id}/",
      summary: "Get your authenticator app",
      resource: totpResource,
      find: async ({ principal, id }) => {
        const found = await findOwnTotp(context, principal);
        return found?.id === id ? renderTotp(found) : null;
      },
    }),
    listRoute({
      path: "/totp/",
      summary: "List your authenticator app",
      resource: totpResource,
      list: async ({ principal }, query) => {
        const found = await findOwnTotp(context, principal);
        return listInMemory(found === null ? [] : [renderTotp(found)], totpList, query);
      },
    }),
    actionRoute({
      path: "/totp/{id}/confirm/",
      summary: "Confirm the authenticator app with a code",
      resource: totpResource,
      document: totpCode,
      assertAllowed: requirePerson,
      act: async ({ principal, id }, { code }) => {
        const confirmed = await confirmTotp(context, principal, id, code);
        return confirmed === null ? null : renderTotp(confirmed);
      },
    }),
    deleteRoute({
      path: "/totp/{id}/",
      summary: "Remove your authenticator app",
      resource: totpResource,
      remove: ({ principal, id }) => removeOwnTotp(context, principal, id),
    }),
    actionRoute({
      path: "/recovery-code/",
      summary: "Replace the recovery codes",
      description: "Returns ten codes, only once. The previous codes become invalid.",
      resource: recoveryCodeResource,
      act: async ({ principal }) => ({
        type: "recovery-code",
        id: "0",
        attributes: { codes: await renewRecoveryCodes(context, principal) },
      }),
    }),
  ];
}

function passkeyRoutes(context: PeopleContext): readonly Route[] {
  return [
    listRoute({
      path: "/passkey/",
      summary: "List your passkeys",
      resource: passkeyResource,
      list: async ({ principal }, query) =>
        mapPage(await listPasskeys(context, principal, query), renderPasskey),
    }),
    actionRoute({
      path: "/passkey/options/",
      summary: "Start the registration of a passkey",
      resource: passkeyCeremonyResource,
      act: async ({ principal }) =>
        renderCeremony(await beginPasskeyRegistration(context, principal)),
    }),
    createRoute({
      path: "/passkey/",
      summary: "Register a passkey",
      resource: passkeyResource,
      document: newPasskey,
      assertAllowed: requirePerson,
      create: async ({ principal }, input) =>
        renderPasskey(await finishPasskeyRegistration(context, principal, input)),
    }),
    patchRoute({
      path: "/passkey/{id}/",
      summary: "Rename a passkey",
      resource: passkeyResource,
      document: passkeyPatch,
      assertAllowed: requirePerson,
      patch: async ({ principal, id }, { name }) => {
        const found = await renamePasskey(context, principal, id, name ?? null);
        return found === null ? null : renderPasskey(found);
      },
    }),
    deleteRoute({
      path: "/passkey/{id}/",
      summary: "Remove a passkey",
      resource: passkeyResource,
      remove: ({ principal, id }) => removeOwnPasskey(context, principal, id),
    }),
  ];
}

function renderTotp(totp: StoredTotp): ResourceOf<typeof totpResource> {
  return {
    type: "totp",
    id: totp.id,
    attributes: {
      is_confirmed: totp.confirmedAt !== null,
      created_at: formatTimestamp(totp.createdAt),
      confirmed_at: formatTimestampOrNull(totp.confirmedAt),
    },
  };
}

function renderPasskey(passkey: Passkey): ResourceOf<typeof passkeyResource> {
  return {
    type: "passkey",
    id: passkey.id,
    attributes: {
      name: passkey.name,
      is_backed_up: passkey.isBackedUp,
      created_at: formatTimestamp(passkey.createdAt),
      last_used_at: formatTimestampOrNull(passkey.lastUsedAt),
    },
  };
}
