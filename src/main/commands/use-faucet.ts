import { silentLogger } from "../../platform/kernel/logger.ts";
import type { Faucet } from "../../sandbox/faucet.ts";
import type { SandboxFile } from "../../sandbox/sandbox-file.ts";
import { openFaucet } from "../families/sandbox-families.ts";
import type { CommandContext } from "./command-context.ts";
import { withReadableErrors } from "./readable-errors.ts";

/** Runs `work` with the faucet of one of the sandbox's chains, then closes it. Rejects when the sandbox has no such chain. */
export async function useFaucet<Result>(
  sandbox: SandboxFile,
  chainId: string,
  context: CommandContext,
  work: (faucet: Faucet) => Promise<Result>,
): Promise<Result> {
  const chain = Object.hasOwn(sandbox.chains, chainId) ? sandbox.chains[chainId] : undefined;
  if (chain === undefined) {
    const running = Object.keys(sandbox.chains).join(", ");
    throw new Error(`this sandbox does not run ${chainId}; it runs ${running}`);
  }
  // The error that results reports an unreachable node; logging it too would repeat it.
  const faucet = openFaucet(chainId, chain, { ...context, logger: silentLogger });
  try {
    return await withReadableErrors(() => work(faucet));
  } finally {
    await faucet.close();
  }
}
