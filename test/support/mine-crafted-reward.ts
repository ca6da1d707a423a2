import type { JsonValue } from "../../src/platform/kernel/json.ts";
import { type MoneroDrive, mineMonero } from "../../src/sandbox/drive-monero-node.ts";
import { type BuiltBlock, type BuiltOptions, buildBlock } from "./monero-builder.ts";

/**
 * Mines a block on a private chain whose reward is written by us, as any miner can, and answers it: the last of `outputs` gets the whole reward
 * less what the others get. monerod accepts every extra field. A block before it takes what is pending, since its reward has no fees.
 */
export async function mineCraftedReward(
  drive: MoneroDrive,
  reward: BuiltOptions,
): Promise<BuiltBlock & { readonly height: number }> {
  const { daemon, wallet } = drive;
  await mineMonero(drive, 1);
  const { address: wallet_address } = await wallet<{ readonly address: string }>("get_address");
  const template = await daemon<{
    readonly expected_reward: number;
    readonly height: number;
    readonly prev_hash: string;
  }>("get_block_template", { wallet_address, reserve_size: 0 });
  const { block_header: last } = await daemon<{
    readonly block_header: { readonly timestamp: number };
  }>("get_last_block_header");
  const { height, prev_hash: parentHash } = template;
  const others = reward.outputs.slice(0, -1);
  const rest = others.reduce((left, { units }) => left - units, BigInt(template.expected_reward));
  const outputs = reward.outputs.map((output, index) =>
    index < others.length ? output : { ...output, units: rest },
  );
  const block = buildBlock({
    height,
    parentHash,
    time: last.timestamp + 1,
    reward: { ...reward, outputs },
    txids: [],
  });
  // Its parameters are a list.
  await daemon("submit_block", [block.blob] as JsonValue as never);
  return { ...block, height };
}
