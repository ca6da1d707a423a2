import type { Config } from "./config.ts";

/** Whether every chain is private, so that nothing of value is here. A deployment without chains is none: it may get real ones. */
export function isSandbox({ chains }: Pick<Config, "chains">): boolean {
  const networks = Object.values(chains).map(({ network }) => network);
  return networks.length > 0 && networks.every((network) => network === "regtest");
}
