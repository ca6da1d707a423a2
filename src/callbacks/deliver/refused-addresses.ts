import { BlockList, isIP } from "node:net";

/** Exceptions to the rule that callbacks reach public addresses only. */
export type AddressPolicy = {
  /** CIDR blocks that callbacks may reach although they are private or reserved. */
  readonly allowedNetworks: readonly string[];
  /** CIDR blocks that callbacks may not reach, such as the deployment's own public addresses. */
  readonly refusedNetworks: readonly string[];
};

/** Whether a callback may connect to this IPv4 or IPv6 address. */
export type AddressCheck = (address: string) => boolean;

/**
 * Address blocks that are not the public internet (IANA's special-purpose registries): private, loopback, link-local with
 * the clouds' metadata service, shared, benchmarking, documentation, multicast, reserved; and the IPv6 forms that carry
 * an IPv4 address to a gateway (NAT64, 6to4, Teredo, IPv4-compatible, IPv4-translated). Unassigned space (RFC 4291, 2.4:
 * global unicast is 2000::/3) is included. IPv4-mapped IPv6 is checked as the IPv4 address.
 */
const notPublic = [
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24",
  "192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4",
  "::/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fc00::/7",
  "4000::/2 8000::/2 c000::/3 e000::/4 f000::/5 f800::/6 fe00::/9 fe80::/10 fec0::/10 ff00::/8",
].flatMap((line) => line.split(" "));

/** Compiles the policy. `allowedNetworks` override the built-in list; `refusedNetworks` override both. */
export function addressCheck(policy: AddressPolicy): AddressCheck {
  const allowed = blockList(policy.allowedNetworks);
  const refused = blockList(policy.refusedNetworks);
  const special = blockList(notPublic);
  return (address) => {
    const family = isIP(address);
    if (family === 0) return false;
    const version = family === 4 ? "ipv4" : "ipv6";
    if (refused.check(address, version)) return false;
    return allowed.check(address, version) || !special.check(address, version);
  };
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", length] = network.split("/");
    const family = isIP(address);
    const bits = family === 4 ? 32 : 128;
    if (family === 0) throw new Error(`not a network: ${network}`);
    list.addSubnet(
      address,
      length === undefined ? bits : Number(length),
      family === 4 ? "ipv4" : "ipv6",
    );
  }
  return list;
}
