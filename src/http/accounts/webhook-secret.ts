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
  description: "The account's Standard Webhooks secret, by which callbacks are signed as a whole.",
  attributes: {
    rotated_at: described(nullable(timestamp), "Null: it is the account's first."),
    former_until: described(
      nullable(timestamp),
      "Until when callbacks carry a signature by the one before it too; null: they do not.",
    ),
    secret: described(text, "whsec_ and base64; where it was asked for."),
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
      description: `How long both sign; default ${graceHoursDefault}, 0 when the former one became known to others.`,
    },
  },
});

/** `/webhook-secret/`, for Owner and Admin. */
export function webhookSecretRoutes(context: PeopleContext): readonly Route[] {
  return [
    getRoute({
      path: "/webhook-secret/",
      summary: "When the webhook secret was changed",
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
      summary: "Change the webhook secret",
      description:
        "For people who are Owner or Admin, within five minutes of proving who they are. Callbacks are signed by both for a while, from half a minute after it on.",
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
