import type { PushSubscription } from "../../accounts/people/push-browser.ts";
import {
  listSubscriptions,
  type PushingContext,
  subscribeBrowser,
  unsubscribeBrowser,
} from "../../accounts/people/push-subscription.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import { boolean, described, text, timestamp } from "../../platform/resources/json-schema.ts";
import { deleteRoute } from "../server/delete-route.ts";
import { createRoute, listRoute, type Route } from "../server/route.ts";
import { clientInfo } from "./session.ts";

const subscriptionResource = defineResource({
  type: "push-subscription",
  description:
    "A browser in which the calling member is notified by web push. It ends when the person signs out there, or ends the session; not when the session expires.",
  attributes: {
    browser: described(text, "Browser and operating system."),
    endpoint: described(text, "Where the browser's push service takes messages (RFC 8030)."),
    created_at: timestamp,
    is_current: described(boolean, "Whether it was made, or last updated, in this session."),
  },
  sortable: ["created_at"],
  defaultSort: "created_at",
});

const subscriptionDocument = defineDocument({
  type: "push-subscription",
  fields: {
    endpoint: {
      kind: "String",
      required: true,
      maxLength: 1_024,
      description: "An https URL of a public host.",
    },
    p256dh: {
      kind: "String",
      required: true,
      maxLength: 128,
      description: "The browser's public key (RFC 8291), in base64url.",
    },
    auth: {
      kind: "String",
      required: true,
      maxLength: 32,
      description: "The browser's secret (RFC 8291), in base64url.",
    },
    language: {
      kind: "Choice",
      choices: [
        { value: "en", name: "English" },
        { value: "de", name: "German" },
        { value: "es", name: "Spanish" },
        { value: "zh", name: "Chinese" },
      ],
      description: "Of the texts that the browser shows. Default: English.",
    },
  },
});

/** `/push-subscription/`: the browsers in which the caller is notified. */
export function pushSubscriptionRoutes(context: PushingContext): readonly Route[] {
  return [
    listRoute({
      path: "/push-subscription/",
      summary: "List the browsers in which you are notified",
      resource: subscriptionResource,
      list: async ({ principal }, query) =>
        mapPage(await listSubscriptions(context, principal, query), (subscription) =>
          render(subscription, principal.person?.sessionId ?? null),
        ),
    }),
    createRoute({
      path: "/push-subscription/",
      summary: "Be notified in this browser",
      description:
        "With what PushManager.subscribe() returned for the key in /notification-settings/. Sending the same endpoint again updates the subscription.",
      resource: subscriptionResource,
      document: subscriptionDocument,
      create: async (request, { endpoint, p256dh, auth, language }) => {
        const { principal } = request;
        const subscription = {
          endpoint,
          publicKey: Buffer.from(p256dh, "base64url"),
          auth: Buffer.from(auth, "base64url"),
          language: language ?? "en",
        };
        const saved = await subscribeBrowser(
          context,
          principal,
          subscription,
          clientInfo(context, request),
        );
        return render(saved, principal.person?.sessionId ?? null);
      },
    }),
    deleteRoute({
      path: "/push-subscription/{id}/",
      summary: "End the notifications in one of your browsers",
      resource: subscriptionResource,
      remove: ({ principal, id }) => unsubscribeBrowser(context, principal, id),
    }),
  ];
}

function render(
  { id, browser, endpoint, createdAt, sessionNumber }: PushSubscription,
  current: string | null,
): ResourceOf<typeof subscriptionResource> {
  return {
    type: "push-subscription",
    id,
    attributes: {
      browser,
      endpoint,
      created_at: formatTimestamp(createdAt),
      is_current: sessionNumber === current,
    },
  };
}
