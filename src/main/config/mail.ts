import { z } from "zod";
import { parseEmailAddress } from "../../platform/kernel/email-address.ts";
import { filePath, port } from "./config-members.ts";
import type { Fault } from "./fault.ts";

const positive = z.int().min(1);
const address = z
  .string()
  .refine((text) => parseEmailAddress(text) !== null, { error: "an email address is needed" });

/** The SMTP server through which the deployment sends email. Absent: it sends none. */
export const mail = z.strictObject({
  host: z.string().min(1),
  port: port.default(587),
  /** `starttls`: TLS by STARTTLS, or nothing is sent; `implicit`: TLS at once, usually on port 465; `none`: plain text. */
  tls: z.enum(["starttls", "implicit", "none"]).default("starttls"),
  user: z.string().min(1).optional(),
  /** A file with the user's password. */
  password_file: filePath.optional(),
  /** A file with the certificate (PEM) of the authority that signed the server's; default: the public authorities. */
  authority_file: filePath.optional(),
  /** The sender's address and name. */
  from: address,
  from_name: z.string().min(1).max(64).default("Sluice"),
  /** After a notification, the next one of the same topic to the same member waits this long, and then contains all that happened. */
  quiet_seconds: positive.default(600),
});

/** A user without a password, or a password without a user, would be ignored. */
export function mailFaults({
  mail: settings,
}: {
  readonly mail?: z.output<typeof mail> | undefined;
}): readonly Fault[] {
  if (settings === undefined) return [];
  const { user, password_file, tls } = settings;
  const missing = user === undefined ? "user" : "password_file";
  if ((user === undefined) !== (password_file === undefined))
    return [
      { path: ["mail", missing], message: "mail.user and mail.password_file belong together" },
    ];
  if (user !== undefined && tls === "none")
    return [{ path: ["mail", "tls"], message: "a password is not sent without TLS" }];
  return [];
}
