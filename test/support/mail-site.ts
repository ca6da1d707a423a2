import { afterAll, beforeAll } from "vitest";
import { readUnsubscribeKey } from "../../src/accounts/people/contact.store.ts";
import { composeNotifications } from "../../src/notifications/compose-notifications.ts";
import { type RenderContext, renderEmail } from "../../src/notifications/render-email.ts";
import { readBeneficiaryName } from "../../src/payouts/travel-rule/read-beneficiary.ts";
import type { Database } from "../../src/platform/db/database.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { createSeal } from "../../src/platform/kernel/seal.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { type SendContext, sendEmails } from "../../src/platform/mail/send-emails.ts";
import { createSmtpTransport, type MailTransport } from "../../src/platform/mail/smtp-transport.ts";
import { type MailServer, startMailServer } from "../../src/sandbox/mail-server.ts";
import type { ManualClock } from "./manual-clock.ts";
import { testDataKey } from "./test-accounts.ts";

export const quietSeconds = 600;
const never = new AbortController().signal;

type Asked = Parameters<typeof readBeneficiaryName> extends [unknown, ...infer Rest] ? Rest : never;

/** A real SMTP server, and the worker's jobs that send to it. */
export type MailSite = {
  readonly server: MailServer;
  readonly transport: MailTransport;
  /** Composes notifications and sends what is due, as a worker does every second. */
  readonly run: (changes?: Partial<SendContext>) => Promise<void>;
};

/** Starts the server for a file's tests. */
export function useMailSite(
  database: { readonly db: Database },
  clock: ManualClock,
  readReceipt: RenderContext["readReceipt"] = () => Promise.reject(new Error("no receipts here")),
): MailSite {
  let server: MailServer | null = null;
  let transport: MailTransport | null = null;
  beforeAll(async () => {
    server = await startMailServer(clock);
    transport = createSmtpTransport({
      host: server.host,
      port: server.port,
      tls: "none",
      login: null,
      from: { address: "noreply@sluice.example", name: "Sluice" },
      authority: null,
    });
  });
  afterAll(async () => {
    transport?.close();
    await server?.close();
  });
  return {
    get server() {
      return present(server, "the mail server");
    },
    get transport() {
      return present(transport, "the transport");
    },
    run: async (changes = {}) => {
      const { db } = database;
      const seal = createSeal(testDataKey, systemRandom);
      await composeNotifications({ db, clock, channel: "email", quietSeconds }, never);
      const rendering = {
        baseUrl: "https://pay.example",
        readUnsubscribeKey: (person: Parameters<typeof readUnsubscribeKey>[1]) =>
          readUnsubscribeKey(db, person),
        readBeneficiary: (...asked: Asked) => readBeneficiaryName({ db, seal }, ...asked),
        readReceipt,
      };
      const sending: SendContext = {
        db,
        clock,
        random: systemRandom,
        logger: silentLogger,
        seal,
        transport: present(transport, "the transport"),
        render: (email, secret) => renderEmail(rendering, email, secret),
        messageDomain: "sluice.example",
        ...changes,
      };
      await sendEmails(sending, never);
    },
  };
}
