import { z } from "zod";

/** Notifications in members' browsers, by the push services of the browsers' vendors. */
export const webPush = z
  .strictObject({
    enabled: z.boolean().default(true),
    /** Whom a push service's operators may write to. Default: the sender of email, or the base URL where it is https. */
    contact: z
      .string()
      .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, {
        error: "a mailto: or https: URL is needed",
      })
      .optional(),
    /** After a notification, the next one of the same topic to the same member waits this long, and then contains all that happened. */
    quiet_seconds: z.int().min(1).default(60),
  })
  .prefault({});
