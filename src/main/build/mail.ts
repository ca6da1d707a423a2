import { readFile } from "node:fs/promises";
import { readUnsubscribeKey } from "../../accounts/people/contact.store.ts";
import { answerResetRequests } from "../../accounts/people/reset-password.ts";
import { readReceipt } from "../../deposits/checkout/receipt.store.ts";
import { composeNotifications } from "../../notifications/compose-notifications.ts";
import { renderEmail } from "../../notifications/render-email.ts";
import { readBeneficiaryName } from "../../payouts/travel-rule/read-beneficiary.ts";
import { sendEmails } from "../../platform/mail/send-emails.ts";
import type { MailTransport } from "../../platform/mail/smtp-transport.ts";
import type { Config } from "../config/config.ts";
import type { Foundation } from "./foundation.ts";

/** Opens the transport to the configured mail server, and loads it only then. Throws when a file cannot be read. */
export async function openMailTransport(mail: NonNullable<Config["mail"]>): Promise<MailTransport> {
  const { host, port, tls, user, password_file, from, from_name, authority_file } = mail;
  const login =
    user === undefined || password_file === undefined
      ? null
      : { user, password: (await readFile(password_file, "utf8")).trim() };
  const authority = authority_file === undefined ? null : await readFile(authority_file, "utf8");
  const { createSmtpTransport } = await import("../../platform/mail/smtp-transport.ts");
  return createSmtpTransport({
    host,
    port,
    tls,
    login,
    from: { address: from, name: from_name },
    authority,
  });
}

/** A function's parameters after its context. */
type Asked<F extends (...all: never) => unknown> =
  Parameters<F> extends [unknown, ...infer Rest] ? Rest : never;

/** Recurring work of a worker. */
export type Work = {
  readonly name: string;
  readonly everyMs: number;
  readonly run: (signal: AbortSignal) => Promise<unknown>;
};

/** The recurring work of telling people by email; none where no mail server is configured. `close` ends its connections. */
export async function mailJobs(
  foundation: Foundation,
): Promise<{ readonly jobs: readonly Work[]; readonly close: () => void }> {
  const { config, db, clock, random, logger, seal, baseUrl, currencies } = foundation;
  const { mail } = config;
  if (mail === undefined) return { jobs: [], close: () => undefined };
  const transport = await openMailTransport(mail);
  const rendering = {
    baseUrl,
    readUnsubscribeKey: (person: Parameters<typeof readUnsubscribeKey>[1]) =>
      readUnsubscribeKey(db, person),
    readBeneficiary: (...asked: Asked<typeof readBeneficiaryName>) =>
      readBeneficiaryName({ db, seal }, ...asked),
    readReceipt: (accountId: string, depositId: string) =>
      readReceipt(db, { currencies, baseUrl }, accountId, depositId),
  };
  const sending = {
    db,
    clock,
    random,
    logger,
    seal,
    transport,
    messageDomain: mail.from.slice(mail.from.lastIndexOf("@") + 1),
    render: (...email: Asked<typeof renderEmail>) => renderEmail(rendering, ...email),
  };
  return {
    jobs: [
      {
        name: "notifications",
        everyMs: 1_000,
        run: (signal) =>
          composeNotifications(
            { db, clock, channel: "email", quietSeconds: mail.quiet_seconds },
            signal,
          ),
      },
      {
        name: "password-resets",
        everyMs: 1_000,
        run: (signal) => answerResetRequests({ db, clock, random, seal }, signal),
      },
      { name: "emails", everyMs: 1_000, run: (signal) => sendEmails(sending, signal) },
    ],
    close: transport.close,
  };
}
