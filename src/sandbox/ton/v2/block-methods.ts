import type { Block } from "../chain.ts";
import type { Ledger } from "../ledger.ts";
import { globalId, masterchain, type Shard } from "../network.ts";
import { ToncenterError, wrongRequest } from "../toncenter-error.ts";
import {
  type Call,
  integer,
  integerOrNull,
  knownBlock,
  type Methods,
  masterBlockOf,
  notReady,
} from "./parameters.ts";
import { base64Of, printBlockId } from "./print.ts";

export const blockMethods: Methods = {
  getMasterchainInfo: ({ ledger }) => ({
    "@type": "blocks.masterchainInfo",
    last: printBlockId(ledger.newest().id),
    state_root_hash: ledger.newest().id.fileHash.toString("base64"),
    init: printBlockId(knownBlock(ledger, { ...masterchain, seqno: 0 }).id),
  }),
  getConsensusBlock: ({ ledger }) => ({
    "@type": "ext.blocks.consensusBlock",
    consensus_block: ledger.newest().id.seqno,
    timestamp: ledger.newest().now,
  }),
  shards: shardsOf,
  getShards: shardsOf,
  lookupBlock: (call) => printBlockId(lookUp(call).id),
  getBlockHeader: (call) => printHeader(call.ledger, blockOf(call)),
  getConfigParam: ({ ledger, params }) => {
    const id = Number(integerOrNull(params, "param") ?? integer(params, "config_id"));
    const parameter = ledger.parameter(id);
    if (parameter === null)
      throw new ToncenterError(500, `cannot find parameter ${id} in the configuration`);
    return {
      "@type": "configInfo",
      config: { "@type": "tvm.cell", bytes: base64Of(parameter) },
    };
  },
  getConfigAll: ({ ledger }) => ({
    "@type": "configInfo",
    config: { "@type": "tvm.cell", bytes: ledger.config() },
  }),
};

/** The block that a request names by workchain, shard and number. */
export function blockOf({ ledger, params }: Call): Block {
  const seqno = Number(integer(params, "seqno"));
  if (seqno < 0) throw wrongRequest("failed to validate request: seqno should be positive");
  return knownBlock(ledger, { ...shardIn({ ledger, params }), seqno });
}

function shardsOf(call: Call): object {
  const block = masterBlockOf(call);
  return { "@type": "blocks.shards", shards: block.shards.map(printBlockId) };
}

function shardIn({ params }: Call): Shard {
  const workchain = Number(integer(params, "workchain"));
  return { workchain, shard: BigInt.asIntN(64, integer(params, "shard")) };
}

function lookUp(call: Call): Block {
  const { ledger, params } = call;
  const [seqno, lt, time] = ["seqno", "lt", "unixtime"].map((name) => integerOrNull(params, name));
  if ([seqno, lt, time].filter((value) => value !== null).length !== 1)
    throw wrongRequest(
      "failed to validate request: exactly one of seqno, lt, unixtime should be specified",
    );
  const shard = shardIn(call);
  if (seqno != null) return knownBlock(ledger, { ...shard, seqno: Number(seqno) });
  const found = ledger
    .blocksOf(shard)
    .find(({ endLt, now }) => (lt != null ? endLt >= lt : BigInt(now) >= (time ?? 0n)));
  if (found === undefined)
    throw notReady(ledger, `(${shard.workchain},${shard.shard}) ${lt != null ? "lt" : "utime"}`);
  return found;
}

function printHeader(ledger: Ledger, block: Block): object {
  return {
    "@type": "blocks.header",
    id: printBlockId(block.id),
    global_id: globalId,
    version: 0,
    after_merge: false,
    after_split: false,
    before_split: false,
    want_merge: false,
    want_split: false,
    validator_list_hash_short: 0,
    catchain_seqno: 0,
    min_ref_mc_seqno: Math.max(0, block.mcSeqno - 1),
    is_key_block: block.id.seqno === 0,
    prev_key_block_seqno: knownBlock(ledger, { ...masterchain, seqno: 0 }).id.seqno,
    start_lt: String(block.startLt),
    end_lt: String(block.endLt),
    gen_utime: block.now,
    prev_blocks: [printBlockId(block.prev)],
  };
}
