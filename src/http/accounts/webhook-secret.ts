import type { AdministrationContext } from "../../accounts/actor.ts";
import {
  graceHoursDefault,
  graceHoursMax,
  readWebhookSecretStatus,
  rotateWebhookSecret,
  showWebhookSecret,
  type WebhookSecretStatus,
} from "../../accounts/webhook-secrets/administer-webhook-secret.ts";
import { formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import { defineResource, type ResourceOf } from "../../platform/resources/define-resource.ts";
import { described, nullable, text, timestamp } from "../../platform/resources/json-schema.ts";
import { actionRoute, getRoute, type Route } from "../server/route.ts";

const webhookSecretResource = defineResource({
  type: "webhook-secret",
  description: "The account's Standard Webhooks secret, which signs the whole body of callbacks.",
  attributes: {
    rotated_at: described(nullable(timestamp), "Null if the secret was never rotated."),
    former_until: described(
      nullable(timestamp),
      "Until when callbacks also carry a signature with the previous secret. Null: they carry only one.",
    ),
    secret: described(text, "whsec_ and base64. Present only in the responses of show and rotate."),
  },
  sometimes: ["secret"],
});

const rotation = defineDocument({
  type: "webhook-secret",
  fields: {
    grace_hours: {
      kind: "Integer",
      min: 0,
      max: graceHoursMax,
      description: `How long the previous secret also signs; default ${graceHoursDefault}. Use 0 for a secret that leaked.`,
    },
  },
});

/** `/webhook-secret/`, for Owner and Admin. */
export function webhookSecretRoutes(context: AdministrationContext): readonly Route[] {
  return [
    getRoute({
      path: "/webhook-secret/",
      summary: "Get the status of the webhook secret",
      description: "For Owner and Admin.",
      resource: webhookSecretResource,
      find: async ({ principal }) =>
        render(await readWebhookSecretStatus(context, principal, principal.accountId)),
    }),
    actionRoute({
      path: "/webhook-secret/show/",
      summary: "Show the webhook secret",
      description:
        "For people who are Owner or Admin, see all wallets, and entered their password or second factor within the last five minutes. Recorded in the audit log.",
      resource: webhookSecretResource,
      act: async ({ principal }) => {
        const shown = await showWebhookSecret(context, principal, principal.accountId);
        return render(shown, shown.secret);
      },
    }),
    actionRoute({
      path: "/webhook-secret/rotate/",
      summary: "Rotate the webhook secret",
      description:
        "For people who are Owner or Admin, see all wallets, and entered their password or second factor within the last five minutes. Callbacks carry signatures with both secrets during the grace period, starting within half a minute.",
      resource: webhookSecretResource,
      document: rotation,
      act: async ({ principal }, { grace_hours }) => {
        const hours = grace_hours ?? graceHoursDefault;
        const { accountId } = principal;
        const shown = await rotateWebhookSecret(context, principal, accountId, hours);
        return render(shown, shown.secret);
      },
    }),
  ];
}

function render(
  { rotatedAt, formerUntil }: WebhookSecretStatus,
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
