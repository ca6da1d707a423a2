import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ClaimCoins } from "../../src/chains/monero/pay/read-key-images.ts";
import { createViewWallet, type ViewWallet } from "../../src/chains/monero/pay/view-wallet.ts";
import { createHttpNodes } from "../../src/chains/rpc/http-nodes.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";

/** An output of the account. */
export type FakeOutput = {
  readonly txid: string;
  /** The one-time key. */
  readonly key: string;
  readonly minor: number;
  /** Whether the view-only wallet takes it for ours, and the signer's wallet does not. */
  readonly isRefused: boolean;
  /** Whether the view-only wallet has its key image from the first. */
  readonly isKnown?: boolean;
};

/** What `transfer` and `sweep_all` draft from so many outputs, or the code of their error. */
export type DraftFake = (inputs: number, priority: number) => { readonly fee: bigint } | number;

/** A monero-wallet-rpc that knows outputs and no keys, the signer's wallet for it, and a client of it. */
export type FakeMoneroWallet = {
  readonly viewWallet: ViewWallet;
  readonly claimCoins: ClaimCoins;
  /** The names of its files, in the order in which they were created. */
  readonly files: () => readonly string[];
  /** Closes its file, as a restart of the program does. */
  readonly closeFile: () => void;
  /** Removes its files. The next one is created at the tip. */
  readonly loseFiles: () => void;
  /** Puts an output on the chain, in a block that it has not read. */
  readonly mine: (output: FakeOutput) => void;
  /** Has it read the chain, as it does now and then by itself. */
  readonly readChain: () => void;
  /** The transactions that it was shown, in order. */
  readonly shown: readonly string[];
  /** Replaceable. */
  draft: DraftFake;
  /** Called after each draft; replaceable. */
  afterDraft: () => void;
  readonly close: () => Promise<void>;
};

type Held = FakeOutput & { image: string | null; isFrozen: boolean };

type File = { readonly height: number; readonly outputs: Held[]; read: number };

class Refusal extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

type Params = Readonly<Record<string, unknown>>;

const address = "4".repeat(95);

/** The key image of an output, in this make-believe. */
export const imageOf = (key: string): string => Buffer.from(key, "hex").reverse().toString("hex");

export async function startFakeMoneroWallet(): Promise<FakeMoneroWallet> {
  const chain: FakeOutput[] = [];
  const shown: string[] = [];
  const files = new Map<string, File>();
  let open: File | null = null;

  const opened = (): File => {
    if (open === null) throw new Refusal(-13, "No wallet file");
    return open;
  };
  const find = (file: File, outputs: readonly FakeOutput[]): void => {
    for (const output of outputs) {
      if (file.outputs.some(({ key }) => key === output.key)) continue;
      const image = output.isKnown === true ? imageOf(output.key) : null;
      file.outputs.push({ ...output, image, isFrozen: false });
    }
  };
  const setFrozen = (isFrozen: boolean, params: Params): object => {
    const held = opened().outputs.find(({ image }) => image === params["key_image"]);
    if (held === undefined) throw new Refusal(-1, "Key image not found");
    held.isFrozen = isFrozen;
    return {};
  };
  const draft = ({ priority }: Params): object => {
    const inputs = opened().outputs.filter(({ isFrozen }) => !isFrozen).length;
    const drafted = fake.draft(inputs, Number(priority));
    if (typeof drafted === "number") throw new Refusal(drafted, `code ${drafted}`);
    fake.afterDraft();
    return { fee: Number(drafted.fee), unsigned_txset: "00" };
  };

  const readChain = (): object => {
    const file = opened();
    if (file.height < 1_000_000) find(file, chain.slice(file.read));
    file.read = chain.length;
    return {};
  };

  const methods: Readonly<Record<string, (params: Params) => object>> = {
    get_address: () => {
      opened();
      return { address };
    },
    open_wallet: ({ filename }) => {
      const file = files.get(String(filename));
      if (file === undefined) throw new Refusal(-1, "Failed to open wallet");
      open = file;
      return {};
    },
    generate_from_keys: ({ filename, restore_height }) => {
      if (files.has(String(filename))) throw new Refusal(-1, "Wallet already exists.");
      open = { height: Number(restore_height), outputs: [], read: chain.length };
      files.set(String(filename), open);
      return {};
    },
    refresh: readChain,
    incoming_transfers: () => ({
      transfers: opened().outputs.map(({ image, isFrozen, key, minor, txid }) => ({
        tx_hash: txid,
        pubkey: key,
        key_image: image ?? "",
        frozen: isFrozen,
        subaddr_index: { major: 0, minor },
      })),
    }),
    scan_tx: ({ txids }) => {
      const asked = txids as readonly string[];
      shown.push(...asked);
      find(
        opened(),
        chain.filter(({ txid }) => asked.includes(txid)),
      );
      return {};
    },
    export_outputs: ({ all }) => {
      const { outputs } = opened();
      const first = outputs.findIndex(({ image }) => image === null);
      const offset = all === true ? 0 : first < 0 ? outputs.length : first;
      const exported = { offset, outputs: outputs.slice(offset) };
      return { outputs_data_hex: Buffer.from(JSON.stringify(exported)).toString("hex") };
    },
    import_key_images: ({ offset, signed_key_images }) => {
      const images = signed_key_images as readonly { readonly key_image: string }[];
      for (const [place, { key_image }] of images.entries()) {
        const held = opened().outputs[Number(offset) + place];
        if (held !== undefined) held.image = key_image;
      }
      return {};
    },
    freeze: (params) => setFrozen(true, params),
    thaw: (params) => setFrozen(false, params),
    transfer: draft,
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method, params } = JSON.parse(Buffer.concat(chunks).toString()) as {
        readonly method: string;
        readonly params: Params;
      };
      response.setHeader("content-type", "application/json");
      const reply = { jsonrpc: "2.0", id: 0 };
      try {
        const result = methods[method]?.(params);
        if (result === undefined) throw new Refusal(-32_601, "Method not found");
        response.end(JSON.stringify({ ...reply, result }));
      } catch (error) {
        const { code, message } = error as Refusal;
        response.end(JSON.stringify({ ...reply, error: { code, message } }));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const nodes = createHttpNodes({
    nodes: [{ url: `http://127.0.0.1:${port}` }],
    chain: "XMR",
    clock: systemClock,
    logger: silentLogger,
    random: systemRandom,
    timeoutMs: 60_000,
  });

  const fake: FakeMoneroWallet = {
    viewWallet: createViewWallet("XMR", nodes, { address, viewKey: "00" }, () =>
      Promise.resolve(100),
    ),
    claimCoins: (exported) => {
      const { offset, outputs } = JSON.parse(Buffer.from(exported, "hex").toString()) as {
        readonly offset: number;
        readonly outputs: readonly FakeOutput[];
      };
      if (outputs.some(({ isRefused }) => isRefused)) return Promise.resolve("refused");
      const claims = outputs.map(({ key }) => ({ claim: imageOf(key), proof: "00" }));
      return Promise.resolve({ offset, claims });
    },
    files: () => [...files.keys()],
    closeFile: () => {
      open = null;
    },
    loseFiles: () => {
      open = null;
      files.clear();
    },
    mine: (output) => {
      chain.push(output);
    },
    readChain,
    shown,
    draft: () => -4,
    afterDraft: () => undefined,
    close: async () => {
      await nodes.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}
