import {
  flag,
  id,
  instant,
  orNull,
  type RecordOf,
  recordReader,
  text,
  textArray,
} from "../../platform/db/columns.ts";

export const endpointFields = {
  id: id("id"),
  url: text("url"),
  description: text("description"),
  /** Null: all. */
  events: orNull(textArray("events")),
  isEnabled: flag("is_enabled"),
  /** Null: the secret is the first one. */
  secretRotatedAt: orNull(instant("secret_rotated_at")),
  /** Until when the previous secret also signs; may be in the past. */
  formerSecretUntil: orNull(instant("former_secret_until")),
  createdAt: instant("created_at"),
  updatedAt: instant("updated_at"),
};

/** A receiver of an account's events, without its secrets. */
export type WebhookEndpoint = RecordOf<typeof endpointFields>;

export const endpointFromRow = recordReader(endpointFields);

/** The context that an endpoint's secrets are sealed with. */
export function endpointSecretContext(endpointId: string): string {
  return `webhook-endpoint/${endpointId}/secret`;
}
