import { startLocalServer } from "./local-server.ts";

/**
 * Addresses that score red in the sandbox: on EVM chains the unlocked developer account number 9 of anvil, so that a
 * red deposit can be sent with the tools at hand, and addresses that nobody holds for paying to.
 */
export const redAddresses: readonly string[] = [
  "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720",
  "0x0badc0de0badc0de0badc0de0badc0de0badc0de",
  "bcrt1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqdku202",
  "rltc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnmxrc5",
];

export type ScreeningServer = {
  /** Where the question is posted. */
  readonly url: string;
  /** Adds an address to those that score red, or takes it off. */
  readonly setRed: (address: string, isRed: boolean) => void;
  /** False: every question is answered with 503, as by a service that is down. */
  readonly setAnswering: (isAnswering: boolean) => void;
  readonly close: () => Promise<void>;
};

/** A local screening service for the sandbox, asked by the same code and over the same HTTP as a real one. */
export async function startScreeningServer(
  initial: readonly string[] = redAddresses,
): Promise<ScreeningServer> {
  const red = new Set(initial.map(spelling));
  let isAnswering = true;
  const server = await startLocalServer(({ method, path, body }) => {
    if (path !== "/screen") return { status: 404, body: "{}" };
    if (method !== "POST") return { status: 405, body: "{}" };
    if (!isAnswering) return { status: 503, body: "{}" };
    const addresses = addressesIn(body);
    if (addresses === null) return { status: 400, body: "{}" };
    const isRed = addresses.some((address) => red.has(spelling(address)));
    const result = isRed ? { risk: 95, verdict: "red" } : { risk: 5, verdict: "green" };
    return { status: 200, body: JSON.stringify(result) };
  });
  return {
    url: `${server.url}/screen`,
    setRed: (address, isRed) => {
      if (isRed) red.add(spelling(address));
      else red.delete(spelling(address));
    },
    setAnswering: (answering) => {
      isAnswering = answering;
    },
    close: server.close,
  };
}

/** Case tells nothing apart in EVM and bech32 addresses; base58 ones that differ by it alone do not occur in a sandbox. */
function spelling(address: string): string {
  return address.toLowerCase();
}

/** The counterparty's addresses in a question, and our own; null for what is no question. */
function addressesIn(body: string): readonly string[] | null {
  try {
    const question = JSON.parse(body) as { readonly address?: unknown; readonly from?: unknown };
    const from = Array.isArray(question.from) ? (question.from as readonly unknown[]) : [];
    return [question.address, ...from].filter((address) => typeof address === "string");
  } catch {
    return null;
  }
}
