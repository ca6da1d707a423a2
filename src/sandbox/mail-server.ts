import type { AddressInfo } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import type { Clock } from "../platform/kernel/clock.ts";
import { formatTimestamp } from "../platform/kernel/timestamp.ts";

/** An email that the sandbox received. */
export type ReceivedEmail = {
  readonly id: number;
  readonly received_at: string;
  /** Of the SMTP envelope. */
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly message_id: string;
  readonly text: string;
  readonly html: string;
  /** By name in lower case; the last one of a name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The message as it arrived. */
  readonly raw: string;
};

export type MailServer = {
  readonly host: string;
  readonly port: number;
  /** The newest emails, oldest first. */
  readonly received: () => readonly ReceivedEmail[];
  /** False: every message is refused for now (451), as by a server in trouble. */
  readonly setAccepting: (isAccepting: boolean) => void;
  readonly close: () => Promise<void>;
};

const emailsMax = 500;
const bytesMax = 1_000_000;

/**
 * Starts an SMTP server on a free loopback port that keeps what it receives and delivers nothing. `options` are those of `smtp-server`:
 * a certificate, a sign-in.
 */
export async function startMailServer(
  clock: Clock,
  options: ConstructorParameters<typeof SMTPServer>[0] = {},
): Promise<MailServer> {
  const emails: ReceivedEmail[] = [];
  let count = 0;
  let isAccepting = true;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    size: bytesMax,
    onData: (stream, session, callback) => {
      void (async () => {
        const parts: Buffer[] = [];
        for await (const part of stream) parts.push(part as Buffer);
        if (!isAccepting) throw Object.assign(new Error("not now"), { responseCode: 451 });
        const { mailFrom, rcptTo } = session.envelope;
        const envelope = {
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
        };
        count += 1;
        emails.push({
          id: count,
          received_at: formatTimestamp(clock.now()),
          ...envelope,
          ...(await parseMessage(Buffer.concat(parts))),
        });
        if (emails.length > emailsMax) emails.shift();
      })().then(
        () => {
          callback();
        },
        (error: unknown) => {
          callback(error as Error);
        },
      );
    },
    ...options,
  });
  // A client that disconnects in the middle is no failure of the sandbox.
  server.on("error", () => undefined);
  const host = "127.0.0.1";
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve);
  });
  return {
    host,
    port: (server.server.address() as AddressInfo).port,
    received: () => emails,
    setAccepting: (accepting) => {
      isAccepting = accepting;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      }),
  };
}

async function parseMessage(raw: Buffer) {
  const {
    subject = "",
    messageId = "",
    text = "",
    html = "",
    headers,
  } = await PostalMime.parse(raw);
  return {
    subject,
    message_id: messageId,
    text,
    html,
    headers: Object.fromEntries(headers.map(({ key, value }) => [key, value])),
    raw: raw.toString("utf8"),
  };
}
