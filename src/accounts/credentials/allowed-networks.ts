import { present } from "../../platform/kernel/assert.ts";
import { Rejected, reject, rejection } from "../../platform/kernel/rejection.ts";
import { parseNetwork } from "../tokens/allowed-network.ts";

const networksMax = 100;

/** Parses an allow-list; null is an empty one. Rejects `invalidValue` with a pointer to each malformed network. */
export function readNetworks(value: unknown): readonly string[] {
  const pointer = "/data/attributes/allowed_networks";
  if (value === null) return [];
  if (!Array.isArray(value) || value.length > networksMax)
    reject("invalidValue", `This must be a list of at most ${networksMax} networks.`, { pointer });
  const networks = value.map((item: unknown) =>
    typeof item === "string" ? parseNetwork(item.trim()) : null,
  );
  const [first, ...others] = networks.flatMap((network, index) =>
    network === null
      ? [
          rejection(
            "invalidValue",
            `${JSON.stringify(value[index])} is not an address or a network in CIDR notation.`,
            {
              pointer: `${pointer}/${index}`,
            },
          ),
        ]
      : [],
  );
  if (first !== undefined) throw new Rejected(first, ...others);
  return networks.map((network) => present(network, "a parsed network"));
}
