import { createTransport } from "nodemailer";
import type { Instant } from "../kernel/clock.ts";
import { toDate } from "../kernel/timestamp.ts";

/** How emails are submitted (RFC 6409). */
export type SmtpSettings = {
  readonly host: string;
  readonly port: number;
  /** `implicit`: TLS from the first byte (RFC 8314); `starttls`: refused without STARTTLS; `none`: plain text. */
  readonly tls: "implicit" | "starttls" | "none";
  readonly login: { readonly user: string; readonly password: string } | null;
  /** The sender's address and name. */
  readonly from: { readonly address: string; readonly name: string };
  /** PEM of the authority that signed the server's certificate; null: the public ones. */
  readonly authority: string | null;
};

/** A message as the transport needs it. */
export type OutgoingMessage = {
  readonly to: string;
  readonly fromName: string | null;
  readonly messageId: string;
  /** ISO 8601. */
  readonly date: Instant;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly unsubscribeUrl: string | null;
};

/** The outcome of a submission. `refused`: the server will never accept this message or recipient. */
export type Submission =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly error: string }
  | { readonly kind: "failed"; readonly error: string };

export type MailTransport = {
  readonly send: (message: OutgoingMessage) => Promise<Submission>;
  /** Connects, negotiates TLS and signs in. Throws when the server cannot be used. */
  readonly verify: () => Promise<void>;
  readonly close: () => void;
};

const connectTimeoutMs = 10_000;
const answerTimeoutMs = 20_000;
const connectionsMax = 4;

/** Opens a transport to the SMTP server. It connects when it sends. */
export function createSmtpTransport(settings: SmtpSettings): MailTransport {
  const { host, port, tls, login, from, authority } = settings;
  const transport = createTransport({
    pool: true,
    maxConnections: connectionsMax,
    host,
    port,
    secure: tls === "implicit",
    requireTLS: tls === "starttls",
    ignoreTLS: tls === "none",
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    tls: { minVersion: "TLSv1.2", ...(authority === null ? {} : { ca: authority }) },
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    dnsTimeout: connectTimeoutMs,
    socketTimeout: answerTimeoutMs,
    // Texts contain what merchants and payers wrote: nothing of it may name a file or URL to attach.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async (message) => {
      try {
        await transport.sendMail({
          from: { address: from.address, name: message.fromName ?? from.name },
          to: { address: message.to, name: "" },
          envelope: { from: from.address, to: [message.to] },
          messageId: message.messageId,
          date: toDate(message.date),
          subject: message.subject,
          text: message.text,
          html: message.html,
          headers: {
            // RFC 3834: nobody's mail program answers it.
            "Auto-Submitted": "auto-generated",
            ...(message.unsubscribeUrl === null
              ? {}
              : {
                  "List-Unsubscribe": `<${message.unsubscribeUrl}>`,
                  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
                }),
          },
        });
        return { kind: "accepted" };
      } catch (error) {
        return failureOf(error);
      }
    },
    verify: async () => {
      await transport.verify();
    },
    close: () => {
      transport.close();
    },
  };
}

/** Only an answer of class 5 to the recipient or the message is final; a refused sign-in is the operator's to mend. */
function failureOf(error: unknown): Submission {
  const { code, responseCode, message } = error as {
    readonly code?: string;
    readonly responseCode?: number;
    readonly message?: string;
  };
  const isAboutThis = code === "EENVELOPE" || code === "EMESSAGE";
  const isFinal = isAboutThis && responseCode !== undefined && responseCode >= 500;
  const text = (message ?? String(error)).replaceAll(/[\r\n]+/g, " ").slice(0, 500);
  return { kind: isFinal ? "refused" : "failed", error: text };
}
