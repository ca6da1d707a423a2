import { isIP } from "node:net";

/** The unit in which callers are counted: an IPv4 address, or the /64 network of an IPv6 address, which one customer usually owns. */
export function addressBlock(ip: string): string {
  const address = ip.split("%", 1)[0] ?? "";
  if (isIP(address) !== 6) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = "", tail] = address.toLowerCase().split("::");
  const leading = head === "" ? [] : head.split(":");
  const trailing = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = tail === undefined ? 0 : Math.max(0, 8 - leading.length - trailing.length);
  const groups = [...leading, ...new Array<string>(missing).fill("0"), ...trailing];
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}
