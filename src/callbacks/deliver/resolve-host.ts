import { Resolver } from "node:dns/promises";

export type ResolvedAddress = { readonly address: string; readonly family: 4 | 6 };

/** All addresses of a name. Empty, or rejects, if there are none. */
export type ResolveHost = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/**
 * Resolves through the configured name servers, without the system's `getaddrinfo`: that runs on four threads shared by
 * the whole process, so a few dead name servers would block every other receiver. `localhost` is this
 * machine (RFC 6761).
 */
export function dnsResolver(timeoutMs: number): ResolveHost {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  return async (hostname) => {
    if (/(^|\.)localhost$/i.test(hostname)) {
      return [
        { address: "127.0.0.1", family: 4 },
        { address: "::1", family: 6 },
      ];
    }
    const [four, six] = await Promise.all([
      resolver.resolve4(hostname).catch(() => []),
      resolver.resolve6(hostname).catch(() => []),
    ]);
    return [
      ...four.map((address) => ({ address, family: 4 as const })),
      ...six.map((address) => ({ address, family: 6 as const })),
    ];
  };
}
