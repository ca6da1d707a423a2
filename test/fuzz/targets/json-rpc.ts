import { decodeReplies, decodeReply } from "../../../src/chains/rpc/decode-reply.ts";
import { NodeFault } from "../../../src/chains/rpc/node-error.ts";
import { parseJson } from "../../../src/chains/rpc/parse-json.ts";
import { rejecting, type Target, textOf } from "../engine/target.ts";

/** A node's answer as text: JSON, then JSON-RPC. */
export const jsonRpcTargets: readonly Target[] = [
  {
    name: "json-rpc",
    form: "json",
    seeds: () => [
      '{"jsonrpc":"2.0","id":1,"result":{"value":0.10000000,"height":800000}}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"execution reverted","data":"0x"}}',
      '[{"id":1,"result":"0x1"},{"id":2,"result":null,"error":null}]',
    ],
    words: ["1e1000", "-0", "12345678901234567890", "0.1", "[", "]"],
    run: (input) => {
      const value = rejecting([SyntaxError], () => parseJson(textOf(input)));
      rejecting([NodeFault], () => decodeReply(value, 1));
      rejecting([NodeFault], () => decodeReplies(value, 1, 2));
    },
  },
];
