import { chmod, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";
import { errorMessage } from "../platform/kernel/error-message.ts";
import type { Logger } from "../platform/kernel/logger.ts";
import type { PayoutIntent, SignedPayout, SignedSpend } from "./intent.ts";
import type { MarkFile } from "./journal/database-mark.ts";
import type { IssueJournal } from "./journal/issue-journal.ts";
import { readLines } from "./journal/read-lines.ts";
import type { SpendJournal } from "./journal/spend-journal.ts";
import type { IssuedKind } from "./keys/account-paths.ts";
import {
  type AccountKey,
  type CreateOutcome,
  type IssuedRange,
  parseRequest,
  requestLengthMax,
  type SignerCall,
  type SignerReply,
} from "./protocol.ts";
import type { Signing } from "./sign-spend.ts";
import { prepareSocketFolder } from "./socket-path.ts";

export type SignerServer = { readonly close: () => Promise<void> };

/** A connection that sends requests faster than they are answered is paused. */
const waitingMax = 100;

/**
 * Answers on a Unix socket (mode 0600, in a folder of mode 0700: only this user can connect). The caller holds the lock of the
 * signer's folder, so an existing socket file is a dead signer's.
 */
export async function serveSigner(context: {
  readonly socketPath: string;
  readonly accounts: readonly AccountKey[];
  /** The kinds of addresses whose indexes are recorded. */
  readonly kinds: readonly IssuedKind[];
  readonly issued: IssueJournal;
  readonly createKeys: (range: IssuedRange) => Promise<CreateOutcome>;
  readonly spends: SpendJournal;
  readonly mark: MarkFile;
  readonly signing: Signing;
  readonly logger: Logger;
}): Promise<SignerServer> {
  const { socketPath, accounts, kinds, issued, spends, mark, logger } = context;
  await prepareSocketFolder(dirname(socketPath));
  await rm(socketPath, { force: true });
  const sockets = new Set<Socket>();

  const assertKnownKind = ({ keyspace, addressType }: IssuedRange): void => {
    const isKnown = kinds.some(
      (kind) => kind.keyspace === keyspace && kind.addressType === addressType,
    );
    if (!isKnown) throw new RangeError(`no account has addresses of ${keyspace}/${addressType}`);
  };

  const answer = async (call: SignerCall): Promise<unknown> => {
    switch (call.method) {
      case "accountKeys":
        return accounts;
      case "highestIssued":
        return issued.highest(call.keyspace, call.addressType);
      case "recordIssued":
        assertKnownKind(call);
        return issued.record(call);
      case "createKeys":
        return context.createKeys(call);
      case "sign":
        return context.signing.sign(call.request);
      case "signedSpends":
        return spends.after(call.chain, call.after);
      case "payoutsSigned":
        return findSigned(spends, call.payoutIds);
      case "readMark":
        return mark.read();
      case "mark":
        return mark.move({ generation: call.generation, numbers: call.numbers });
    }
  };

  const serve = async (line: string): Promise<SignerReply> => {
    const request = parseRequest(line);
    if (request === null) return { id: null, error: "not a request" };
    try {
      return { id: request.id, result: await answer(request.call) };
    } catch (error) {
      logger.error("request failed", { method: request.call.method, error: errorMessage(error) });
      return { id: request.id, error: errorMessage(error) };
    }
  };

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", (error) => {
      logger.debug("connection lost", { error: error.message });
    });
    // One after the other, so that replies keep the order of the requests.
    let last: Promise<void> = Promise.resolve();
    let waiting = 0;
    readLines(socket, requestLengthMax, (line) => {
      waiting += 1;
      if (waiting === waitingMax) socket.pause();
      last = last.then(async () => {
        const reply = await serve(line);
        waiting -= 1;
        if (waiting < waitingMax) socket.resume();
        if (socket.writable) socket.write(`${JSON.stringify(reply)}\n`);
      });
    });
  });
  await listen(server, socketPath);
  await chmod(socketPath, 0o600);

  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function findSigned(
  spends: SpendJournal,
  payoutIds: readonly string[],
): Promise<readonly SignedPayout[]> {
  const found: SignedPayout[] = [];
  for (const payoutId of payoutIds) {
    const signed = await spends.spendsOf(payoutId);
    if (signed.length === 0) continue;
    found.push({
      payoutId,
      txids: signed.map(({ txid }) => txid),
      intents: signed.flatMap((spend) => intentsOf(spend, payoutId)),
    });
  }
  return found;
}

function intentsOf({ intent }: SignedSpend, payoutId: string): readonly PayoutIntent[] {
  return intent.kind === "payout"
    ? intent.payouts.filter((payout) => payout.payoutId === payoutId)
    : [];
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
