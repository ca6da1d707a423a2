import { accountValue, applicationValue, assetValue, holdingValue } from "./account-answers.ts";
import { readAddress } from "./address.ts";
import { type Answer, Fault, formatted, jsonAnswer } from "./answer.ts";
import { blockAnswer, blockHash, blockTransactionIds } from "./block-answers.ts";
import { genesisDocument } from "./genesis.ts";
import type { ValueMap } from "./msgpack.ts";
import type { Node } from "./node.ts";
import { submit } from "./submit.ts";
import { pendingTransaction, pendingTransactions, suggestedParams } from "./transaction-answers.ts";

export type Call = {
  readonly node: Node;
  /** The parts of the path that the route leaves open. */
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Uint8Array;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
};

type Route = {
  readonly method: "GET" | "POST";
  readonly path: RegExp;
  /** Answers without the token. */
  readonly isOpen?: true;
  readonly answer: (call: Call) => Answer | Promise<Answer>;
};

const get = (path: RegExp, answer: Route["answer"]): Route => ({ method: "GET", path, answer });
const open = (path: RegExp, answer: Route["answer"]): Route => ({
  ...get(path, answer),
  isOpen: true,
});

/** algod's routes, without a slash at the end. */
export const routes: readonly Route[] = [
  open(/^\/health$/, () => ({ status: 200, type: "application/json", body: "null\n" })),
  open(/^\/ready$/, () => ({ status: 200, type: "application/json", body: "null\n" })),
  open(/^\/genesis$/, () => jsonAnswer(genesisDocument)),
  open(/^\/versions$/, ({ node }) => jsonAnswer(versions(node))),
  get(/^\/v2\/status$/, ({ node }) => jsonAnswer(node.status())),
  get(/^\/v2\/status\/wait-for-block-after\/([^/]+)$/, async ({ node, params, signal }) => {
    await node.ledger.waitFor(roundIn(params) + 1n, signal);
    return jsonAnswer(node.status());
  }),
  get(/^\/v2\/blocks\/([^/]+)$/, ({ node, params, query }) =>
    blockAnswer(node.ledger, roundIn(params), query),
  ),
  get(/^\/v2\/blocks\/([^/]+)\/hash$/, ({ node, params }) =>
    blockHash(node.ledger, roundIn(params)),
  ),
  get(/^\/v2\/blocks\/([^/]+)\/txids$/, ({ node, params }) =>
    blockTransactionIds(node.ledger, roundIn(params)),
  ),
  get(/^\/v2\/transactions\/params$/, ({ node }) => jsonAnswer(suggestedParams(node.ledger))),
  get(/^\/v2\/transactions\/pending$/, ({ node, query }) =>
    formatted(pendingTransactions(node.ledger, query, null), query),
  ),
  get(/^\/v2\/transactions\/pending\/([^/]+)$/, ({ node, params: [txid = ""], query }) =>
    formatted(pendingTransaction(node.ledger, txid), query),
  ),
  {
    method: "POST",
    path: /^\/v2\/transactions$/,
    answer: ({ body, node }) => submit(node.ledger, body),
  },
  get(/^\/v2\/accounts\/([^/]+)$/, ({ node, params, query }) =>
    jsonAnswer(accountValue(node.ledger, addressIn(params), query.get("exclude"))),
  ),
  get(/^\/v2\/accounts\/([^/]+)\/transactions\/pending$/, ({ node, params, query }) =>
    formatted(pendingTransactions(node.ledger, query, addressIn(params)), query),
  ),
  get(/^\/v2\/accounts\/([^/]+)\/assets\/([^/]+)$/, ({ node, params }) =>
    jsonAnswer(holdingValue(node.ledger, addressIn(params), idIn(params[1], "asset-id"))),
  ),
  get(/^\/v2\/assets\/([^/]+)$/, ({ node, params }) =>
    jsonAnswer(assetValue(node.ledger, idIn(params[0], "asset-id"))),
  ),
  get(/^\/v2\/applications\/([^/]+)$/, ({ node, params }) =>
    jsonAnswer(applicationValue(node.ledger, idIn(params[0], "application-id"))),
  ),
];

/** The version of go-algorand whose answers these are. */
const build = { major: 5n, minor: 1n, build_number: 0n };

function versions({ ledger: { network } }: Node): ValueMap {
  return {
    versions: ["v2"],
    genesis_id: network.genesisId,
    genesis_hash_b64: network.genesisHash,
    build: { ...build, commit_hash: "", branch: "simulated", channel: "simulated" },
  };
}

function roundIn([text = ""]: readonly string[]): bigint {
  return idIn(text, "round");
}

function idIn(text: string | undefined, name: string): bigint {
  const id = /^\d{1,20}$/.test(text ?? "") ? BigInt(text ?? "") : null;
  if (id === null || id >= 1n << 64n)
    throw new Fault(
      400,
      `Invalid format for parameter ${name}: error binding string parameter: strconv.ParseUint: parsing "${text ?? ""}": invalid syntax`,
    );
  return id;
}

function addressIn([text = ""]: readonly string[]): string {
  if (readAddress(text) === null)
    throw new Fault(
      400,
      `Invalid format for parameter address: error unmarshaling '${text}' text as *basics.Address: address ${text} is malformed`,
    );
  return text;
}
