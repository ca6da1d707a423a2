import { readSandboxFile } from "../../sandbox/sandbox-file.ts";
import type { CommandContext } from "./command-context.ts";
import { useFaucet } from "./use-faucet.ts";

/** `sluice mine CHAIN COUNT`: mines blocks on a chain of the running sandbox and prints its new tip. */
export async function mineBlocks(
  options: { readonly home: string; readonly chain: string; readonly count: number },
  context: CommandContext,
): Promise<void> {
  const chain = options.chain.toUpperCase();
  const sandbox = await readSandboxFile(options.home);
  const tip = await useFaucet(sandbox, chain, context, (faucet) => faucet.mine(options.count));
  context.print(`${chain} is at block ${tip.height} ${tip.hash}`);
}
