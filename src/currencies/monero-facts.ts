/** How a chain of Monero's family differs from others. */
export type MoneroFacts = {
  /** By our configuration's network names. */
  readonly networks: Readonly<Record<"mainnet" | "testnet" | "regtest", MoneroNetworkFacts>>;
};

export type MoneroNetworkFacts = {
  /** As `get_info` calls it. */
  readonly nettype: "mainnet" | "stagenet" | "fakechain";
  /** The public network whose addresses it uses. */
  readonly addresses: "main" | "stage";
  readonly genesisHash: string;
  readonly addressPrefixes: MoneroAddressPrefixes;
  /** From this height on, no block creates more than the least reward, beside fees. */
  readonly leastRewardFrom: number;
};

/** Numbers before the keys of an address, by what it is. */
export type MoneroAddressPrefixes = {
  readonly standard: number;
  readonly integrated: number;
  readonly subaddress: number;
};
