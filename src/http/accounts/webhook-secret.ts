import type { PeopleContext } from "../../accounts/people/context.ts";
import {
  describeWebhookSecret,
  rotateWebhookSecret,
  showWebhookSecret,
  type WebhookSecretState,
} from "../../accounts/team/webhook-secrets.ts";
import { formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import { described, nullable, text, timestamp } from "../../platform/resources/json-schema.ts";
import { actionRoute, getRoute, type Route } from "../server/route.ts";

const graceHoursDefault = 24;
const graceHoursMax = 30 * 24;

const webhookSecretResource = defineResource({
  type: "webhook-secret",
  description: "The account's Standard Webhooks secret, which signs the whole body of callbacks.",
  attributes: {
    rotated_at: described(nullable(timestamp), "Null until the first rotation."),
    former_until: described(
      nullable(timestamp),
      "Until then callbacks are also signed with the previous secret; null: they are not.",
    ),
    secret: described(text, "whsec_ and base64; only in answers to show and rotate."),
  },
  sometimes: ["secret"],
  relationships: {},
  filters: {},
  sortable: [],
  defaultSort: "id",
});

const rotation = defineDocument({
  type: "webhook-secret",
  fields: {
    grace_hours: {
      kind: "Integer",
      min: 0,
      max: graceHoursMax,
      description: `How long the previous secret keeps signing; default ${graceHoursDefault}, 0 if it has leaked.`,
    },
  },
});

/** `/webhook-secret/`, for Owner and Admin. */
export function webhookSecretRoutes(context: PeopleContext): readonly Route[] {
  return [
    getRoute({
      path: "/webhook-secret/",
      summary: "Get the state of the webhook secret",
      description: "For Owner and Admin.",
      resource: webhookSecretResource,
      find: async ({ principal }) => render(await describeWebhookSecret(context, principal)),
    }),
    actionRoute({
      path: "/webhook-secret/show/",
      summary: "Show the webhook secret",
      description:
        "For people who are Owner or Admin, within five minutes of proving who they are.",
      resource: webhookSecretResource,
      act: async ({ principal }) => {
        const shown = await showWebhookSecret(context, principal);
        return render(shown, shown.secret);
      },
    }),
    actionRoute({
      path: "/webhook-secret/rotate/",
      summary: "Rotate the webhook secret",
      description:
        "For people who are Owner or Admin, within five minutes of proving who they are. Starting about 30 seconds later, callbacks are signed with both secrets for the grace period.",
      resource: webhookSecretResource,
      document: rotation,
      act: async ({ principal }, { grace_hours }) => {
        const hours = grace_hours ?? graceHoursDefault;
        const shown = await rotateWebhookSecret(context, principal, hours);
        return render(shown, shown.secret);
      },
    }),
  ];
}

function render(
  { rotatedAt, formerUntil }: WebhookSecretState,
  secret: string | null = null,
): ResourceOf<typeof webhookSecretResource> {
  return {
    type: "webhook-secret",
    id: "0",
    attributes: {
      rotated_at: formatTimestampOrNull(rotatedAt),
      former_until: formatTimestampOrNull(formerUntil),
      ...(secret === null ? {} : { secret }),
    },
  };
}
