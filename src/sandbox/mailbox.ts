import type { Clock } from "../platform/kernel/clock.ts";
import type { Random } from "../platform/kernel/random.ts";
import { startLocalServer } from "./local-server.ts";
import { startMailServer } from "./mail-server.ts";

/** A mail server, and the address at which it shows what it received, as JSON. */
export type Mailbox = {
  readonly host: string;
  readonly port: number;
  /** Contains a random key: the emails contain links that sign people in. */
  readonly url: string;
  readonly close: () => Promise<void>;
};

/** Starts a mail server for a cluster, whose api processes cannot read what it received. */
export async function startMailbox(clock: Clock, random: Random): Promise<Mailbox> {
  const mail = await startMailServer(clock);
  const path = `/mail/${Buffer.from(random.bytes(16)).toString("hex")}/`;
  const server = await startLocalServer((request) =>
    request.path === path
      ? { status: 200, body: JSON.stringify(mail.received()) }
      : { status: 404, body: "{}" },
  );
  return {
    host: mail.host,
    port: mail.port,
    url: `${server.url}${path}`,
    close: async () => {
      await server.close();
      await mail.close();
    },
  };
}
