import type {
  CallbackDocument,
  CallbackResource,
  CallbackVerdict,
} from "../../../client/src/verify-callback.ts";
import { shortAmount } from "../../currencies/amount-text.ts";
import { depositStates } from "../../deposits/deposit-state.ts";
import { payoutStates } from "../../payouts/payout-state.ts";
import { toDate } from "../../platform/kernel/timestamp.ts";
import { readBody, serveLoopback } from "../../sandbox/loopback-server.ts";
import { readSandboxFile } from "../../sandbox/sandbox-file.ts";
import { verifyReceived } from "../../sandbox/verify-received.ts";
import type { CommandContext } from "./command-context.ts";

export type CallbackListener = {
  /** Use it as `callback_url`. */
  readonly url: string;
  readonly close: () => Promise<void>;
};

const bodyMax = 1024 * 1024;

/**
 * `sluice listen`: receives callbacks on the loopback interface until closed, verifies both signatures with the running sandbox's
 * secrets, and prints a line for each, with `json` also the whole body. It answers every callback with an empty 200, as the
 * interface requires, including forged ones. Rejects when the port is taken (0: any free port).
 */
export async function listenForCallbacks(
  options: { readonly home: string; readonly port: number; readonly json: boolean },
  context: CommandContext,
): Promise<CallbackListener> {
  const { clock, print } = context;
  const sandbox = await readSandboxFile(options.home);
  const { port, close } = await serveLoopback(options.port, async (request, response) => {
    const body = await readBody(request, bodyMax);
    if (request.method !== "POST" || body === null) {
      response.writeHead(body === null ? 413 : 405, { allow: "POST", connection: "close" }).end();
      return;
    }
    const now = toDate(clock.now());
    const verdict = await verifyReceived(sandbox, { body, headers: request.headers }, now);
    response.writeHead(200).end();
    print(describe(verdict, body));
    if (options.json) print(indented(body));
  });
  const url = `http://127.0.0.1:${port}/`;
  print(`Listening for callbacks: create deposits with "callback_url": "${url}". Ctrl-C stops it.`);
  return { url, close };
}

function describe(verdict: CallbackVerdict, body: Buffer): string {
  if (verdict.isGenuine) return `${summary(verdict.document)} | verified: yes`;
  const document = parse(body);
  const text = isCallback(document) ? summary(document) : "not a callback";
  return `${text} | verified: no, ${verdict.reason}`;
}

const states: readonly { readonly value: string; readonly name: string }[] = [
  ...depositStates,
  ...payoutStates,
];

const transferStatuses: Readonly<Record<string, string>> = {
  "-3": "canceled",
  "-2": "blocked",
  "-1": "failed",
  0: "created",
  1: "unconfirmed",
  2: "confirmed",
};

/** `deposit 12 Paid | 0.5 BTC confirmed, 2 confirmations`; a change of the status alone has no transfer: `deposit 12 Paid`. */
function summary({ data, included }: CallbackDocument): string {
  const state = String(data.attributes["state"] ?? data.attributes["status"]);
  const stateName = states.find(({ value }) => value === state)?.name ?? state;
  const transfer = included.find(({ type }) => type === "transfer");
  const text = printable(`${data.type} ${data.id} ${stateName}`);
  if (transfer === undefined) return text;
  const transferStatus = String(transfer.attributes["status"]);
  const amount = shortAmount(String(transfer.attributes["amount"]));
  const statusWord = transferStatuses[transferStatus] ?? transferStatus;
  const confirmations = `${String(transfer.attributes["confirmations"])} confirmations`;
  return `${text} | ${printable(`${amount} ${alphaOf(transfer, included)} ${statusWord}, ${confirmations}`)}`;
}

/** The transfer's own currency, if the callback includes it: a payment in a wrong asset has another currency than its deposit. */
function alphaOf(transfer: CallbackResource, included: readonly CallbackResource[]): string {
  const { currency } = (transfer.relationships ?? {}) as {
    readonly currency?: { readonly data?: { readonly id?: string } | null };
  };
  const id = currency?.data?.id;
  const found = included.find((resource) => resource.type === "currency" && resource.id === id);
  return found === undefined ? `of currency ${id ?? "unknown"}` : String(found.attributes["alpha"]);
}

/** Anyone who can reach the port writes to this terminal, so control characters are replaced. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, "?");
}

function indented(body: Buffer): string {
  const document = parse(body);
  if (document === undefined) return printable(body.toString("utf8"));
  return JSON.stringify(document, null, 2).split("\n").map(printable).join("\n");
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8")) as unknown;
  } catch {
    return undefined;
  }
}

function isCallback(value: unknown): value is CallbackDocument {
  const isResource = (resource: unknown): boolean =>
    typeof resource === "object" &&
    resource !== null &&
    typeof (resource as Partial<CallbackResource>).attributes === "object" &&
    (resource as { readonly attributes: object | null }).attributes !== null;
  const { data, included } = (value ?? {}) as Partial<CallbackDocument>;
  return isResource(data) && Array.isArray(included) && included.every(isResource);
}
