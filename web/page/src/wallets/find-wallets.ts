import { type Signal, signal } from "@preact/signals";

/** EIP-1193. */
export type Provider = {
  readonly request: (call: {
    readonly method: string;
    readonly params?: readonly unknown[];
  }) => Promise<unknown>;
};

export type Wallet = {
  readonly id: string;
  /** Null if the wallet does not announce its name. */
  readonly name: string | null;
  readonly provider: Provider;
};

type Announcement = {
  readonly info: { readonly uuid: string; readonly name: string };
  readonly provider: Provider;
};

const walletsMax = 4;

/**
 * Finds the browser's wallets through EIP-6963 announcements, or `window.ethereum` where none is announced. The list grows
 * while the page is open, because extensions announce themselves at any time.
 */
export function findWallets(): Signal<readonly Wallet[]> {
  const wallets = signal<readonly Wallet[]>(injectedWallet());
  addEventListener("eip6963:announceProvider", (event) => {
    const { info, provider } = (event as CustomEvent<Announcement>).detail;
    const known = wallets.value.filter(({ id }) => id !== injectedId && id !== info.uuid);
    if (known.length < walletsMax)
      wallets.value = [...known, { id: info.uuid, name: info.name.slice(0, 30), provider }];
  });
  addEventListener("ethereum#initialized", () => {
    if (wallets.value.length === 0) wallets.value = injectedWallet();
  });
  dispatchEvent(new Event("eip6963:requestProvider"));
  return wallets;
}

const injectedId = "injected";

function injectedWallet(): readonly Wallet[] {
  const { ethereum } = window as { readonly ethereum?: Provider };
  return ethereum === undefined ? [] : [{ id: injectedId, name: null, provider: ethereum }];
}
