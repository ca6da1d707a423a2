import { BlockList, isIP } from "node:net";

/** Parses `192.0.2.0/24`, `2001:db8::/32` or a single address; null for anything else. */
export function parseNetwork(text: string): string | null {
  const [address = "", prefix, ...rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0 || address.includes("%")) return null;
  const widest = family === 4 ? 32 : 128;
  if (prefix === undefined) return `${address}/${widest}`;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= widest ? `${address}/${prefix}` : null;
}

/** Whether a credential may be used from an address. An empty list allows every address. IPv4-mapped IPv6 counts as IPv4. */
export function isAllowedFrom(networks: readonly string[], ip: string): boolean {
  if (networks.length === 0) return true;
  const address = ip.split("%", 1)[0] ?? "";
  const family = isIP(address);
  if (family === 0) return false;
  const list = new BlockList();
  for (const network of networks) {
    const [base = "", prefix] = network.split("/");
    const isIPv4 = isIP(base) === 4;
    const widest = isIPv4 ? 32 : 128;
    list.addSubnet(base, prefix === undefined ? widest : Number(prefix), isIPv4 ? "ipv4" : "ipv6");
  }
  return list.check(address, family === 4 ? "ipv4" : "ipv6");
}
