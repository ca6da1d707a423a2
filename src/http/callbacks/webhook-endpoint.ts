import {
  graceHoursDefault,
  graceHoursMax,
} from "../../accounts/webhook-secrets/administer-webhook-secret.ts";
import { assertMaySend } from "../../callbacks/deliver/assert-may-send.ts";
import { testEndpoint } from "../../callbacks/deliver/send-test-delivery.ts";
import {
  assertMayChangeEndpoints,
  changeEndpoint,
  createEndpoint,
  type EndpointContext,
  endpointsMax,
  findEndpoint,
  listEndpoints,
  removeEndpoint,
  rotateEndpointSecret,
} from "../../callbacks/endpoints/administer-endpoints.ts";
import type { WebhookEndpoint } from "../../callbacks/endpoints/webhook-endpoint.ts";
import { isWebhookEvent, webhookEvents } from "../../callbacks/endpoints/webhook-event.ts";
import { readCallback } from "../../callbacks/read-callbacks.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { JsonValue } from "../../platform/kernel/json.ts";
import { listInMemory } from "../../platform/kernel/list-in-memory.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { Rejected, reject, rejection } from "../../platform/kernel/rejection.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import {
  boolean,
  described,
  givenUrl,
  nullable,
  oneOf,
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
import { callbackResource, renderCallback } from "./callback-definition.ts";

const eventNames = { type: "array", items: oneOf(webhookEvents), uniqueItems: true } as const;

const endpointResource = defineResource({
  type: "webhook-endpoint",
  description:
    "A receiver of the account's events, next to the callback URL of each deposit and payout. Its deliveries are callbacks with the same body, signatures, attempts and order; `webhook-signature` is made with the endpoint's own secret.",
  attributes: {
    url: givenUrl,
    description: text,
    events: described(nullable(eventNames), "Null: all events, also those that are added later."),
    is_enabled: described(
      boolean,
      "A disabled endpoint receives nothing. Disabling ends the deliveries that wait for another attempt.",
    ),
    secret_rotated_at: described(nullable(timestamp), "Null if the secret was never rotated."),
    former_secret_until: described(
      nullable(timestamp),
      "Until when deliveries also carry a signature with the previous secret. Null: they carry only one.",
    ),
    created_at: timestamp,
    updated_at: timestamp,
    secret: described(
      text,
      "whsec_ and base64. Present only in the responses of creation and rotation.",
    ),
  },
  sometimes: ["secret"],
  defaultSort: "id",
});

const members = {
  url: { kind: "URL", maxLength: 256 },
  description: { kind: "String", maxLength: 128 },
  events: {
    kind: "Field",
    schema: nullable(eventNames),
    description: "Names of events; null or absent for all.",
  },
  is_enabled: { kind: "Boolean" },
} as const;

const newEndpoint = defineDocument({
  type: "webhook-endpoint",
  fields: { ...members, url: { ...members.url, required: true } },
});

const endpointPatch = defineDocument({
  type: "webhook-endpoint",
  partial: true,
  id: "path",
  fields: members,
});

const rotation = defineDocument({
  type: "webhook-endpoint",
  id: "ignored",
  fields: {
    grace_hours: {
      kind: "Integer",
      min: 0,
      max: graceHoursMax,
      description: `How long the previous secret also signs; default ${graceHoursDefault}. Use 0 for a secret that leaked.`,
    },
  },
});

const forAdministrators = "For Owners and Admins who see all wallets.";

/** `/webhook-endpoint/`: receivers of all of an account's events. */
export function webhookEndpointRoutes(context: EndpointContext): readonly Route[] {
  const { db } = context;
  const resource = endpointResource;
  return [
    listRoute({
      path: "/webhook-endpoint/",
      summary: "List webhook endpoints",
      description: "Members who see only granted wallets get an empty list.",
      resource,
      list: async ({ principal }, query) =>
        mapPage(listInMemory(await listEndpoints(db, principal), endpointList, query), (endpoint) =>
          render(endpoint),
        ),
    }),
    getRoute({
      path: "/webhook-endpoint/{id}/",
      summary: "Get a webhook endpoint",
      resource,
      find: async ({ principal, id }) => {
        const endpoint = await findEndpoint(db, principal, id);
        return endpoint === null ? null : render(endpoint);
      },
    }),
    createRoute({
      path: "/webhook-endpoint/",
      summary: "Create a webhook endpoint",
      description: `${forAdministrators} The response shows its secret once. An account has at most ${endpointsMax} endpoints.`,
      resource,
      document: newEndpoint,
      assertAllowed: assertMayChangeEndpoints,
      create: async ({ principal }, { url, description, events, is_enabled }) => {
        const created = await createEndpoint(context, principal, {
          url,
          description: description ?? "",
          events: readEvents(events ?? null),
          isEnabled: is_enabled ?? true,
        });
        return render(created.endpoint, created.secret);
      },
    }),
    patchRoute({
      path: "/webhook-endpoint/{id}/",
      summary: "Change, enable or disable a webhook endpoint",
      description: `${forAdministrators} Deliveries that wait for another attempt go to a new URL, and end when the endpoint is disabled; they can be resent later.`,
      resource,
      document: endpointPatch,
      assertAllowed: assertMayChangeEndpoints,
      patch: async ({ principal, id }, { url, description, events, is_enabled }) => {
        if (url === null) reject("invalidValue", "An endpoint needs a URL.", atMember("url"));
        const changed = await changeEndpoint(context, principal, id, {
          ...(url === undefined ? {} : { url }),
          ...(description === undefined ? {} : { description: description ?? "" }),
          ...(events === undefined ? {} : { events: readEvents(events) }),
          ...(is_enabled === undefined || is_enabled === null ? {} : { isEnabled: is_enabled }),
        });
        return changed === null ? null : render(changed);
      },
    }),
    deleteRoute({
      path: "/webhook-endpoint/{id}/",
      summary: "Remove a webhook endpoint",
      description: `${forAdministrators} Deliveries that wait for another attempt end.`,
      resource,
      remove: ({ principal, id }) => removeEndpoint(context, principal, id),
    }),
    actionRoute({
      path: "/webhook-endpoint/{id}/rotate-secret/",
      summary: "Rotate a webhook endpoint's secret",
      description: `${forAdministrators} The response shows the new secret once. Deliveries carry signatures with both secrets during the grace period, starting within half a minute.`,
      resource,
      document: rotation,
      assertAllowed: assertMayChangeEndpoints,
      act: async ({ principal, id }, { grace_hours }) => {
        const hours = grace_hours ?? graceHoursDefault;
        const rotated = await rotateEndpointSecret(context, principal, id, hours);
        return rotated === null ? null : render(rotated.endpoint, rotated.secret);
      },
    }),
    actionRoute({
      path: "/webhook-endpoint/{id}/test/",
      summary: "Send a test delivery to a webhook endpoint",
      description:
        "Sends a signed delivery with data.type `test`, as POST /callback/test/ does. Returns the callback; read its attempts by its id.",
      resource: callbackResource,
      act: async ({ principal, id }) => {
        assertMaySend(principal);
        const endpoint = await findEndpoint(db, principal, id);
        if (endpoint === null) return null;
        const sent = await testEndpoint(context, principal, endpoint);
        const { callback, log } = present(await readCallback(db, principal, sent), "the callback");
        return renderCallback(callback, log);
      },
    }),
  ];
}

const endpointList = { id: ({ id }: WebhookEndpoint) => id, filters: {}, sort: {} };

const atMember = (name: string) => ({ pointer: `/data/attributes/${name}` });

/** The selected events, each once; null for all. Rejects with invalidValue for each that does not exist. */
function readEvents(value: JsonValue): readonly string[] | null {
  if (value === null || value === "") return null;
  if (!Array.isArray(value) || value.length === 0)
    reject("invalidValue", "Select at least one event, or null for all.", atMember("events"));
  const [first, ...others] = value.flatMap((event, index) =>
    typeof event === "string" && isWebhookEvent(event)
      ? []
      : [rejection("invalidValue", `Use one of ${names}.`, atMember(`events/${index}`))],
  );
  if (first !== undefined) throw new Rejected(first, ...others);
  return [...new Set(value as readonly string[])];
}

const names = webhookEvents.map(({ value }) => value).join(", ");

function render(
  endpoint: WebhookEndpoint,
  secret: string | null = null,
): ResourceOf<typeof endpointResource> {
  return {
    type: "webhook-endpoint",
    id: endpoint.id,
    attributes: {
      url: endpoint.url,
      description: endpoint.description,
      events: endpoint.events === null ? null : [...endpoint.events],
      is_enabled: endpoint.isEnabled,
      secret_rotated_at: formatTimestampOrNull(endpoint.secretRotatedAt),
      former_secret_until: formatTimestampOrNull(endpoint.formerSecretUntil),
      created_at: formatTimestamp(endpoint.createdAt),
      updated_at: formatTimestamp(endpoint.updatedAt),
      ...(secret === null ? {} : { secret }),
    },
  };
}
