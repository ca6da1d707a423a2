import type { JsonObject } from "../../platform/kernel/json.ts";

type Method<Params extends JsonObject, Result> = {
  readonly params: Params;
  readonly result: Result;
};

/** Nothing of an answer is believed before it was checked. */
type Unread = Readonly<Record<string, unknown>>;

/** The methods of monero-wallet-rpc that the signer uses. */
export type WalletMethods = {
  readonly get_version: Method<Record<string, never>, Unread>;
  readonly generate_from_keys: Method<
    {
      readonly filename: string;
      readonly address: string;
      readonly spendkey: string;
      readonly viewkey: string;
      readonly password: string;
      readonly restore_height: number;
      readonly language: string;
    },
    Unread
  >;
  readonly close_wallet: Method<{ readonly autosave_current: boolean }, Unread>;
  readonly open_wallet: Method<{ readonly filename: string; readonly password: string }, Unread>;
  readonly store: Method<Record<string, never>, Unread>;
  readonly set_subaddress_lookahead: Method<
    { readonly major_idx: number; readonly minor_idx: number; readonly password: string },
    Unread
  >;
  readonly create_address: Method<
    { readonly account_index: number; readonly count: number },
    Unread
  >;
  readonly query_key: Method<{ readonly key_type: "mnemonic" }, Unread>;
  readonly import_outputs: Method<{ readonly outputs_data_hex: string }, Unread>;
  readonly export_key_images: Method<{ readonly all: boolean }, Unread>;
  readonly sign_transfer: Method<
    {
      readonly unsigned_txset: string;
      readonly export_raw: boolean;
      readonly get_tx_keys: boolean;
    },
    Unread
  >;
};

export function isObject(value: unknown): value is Unread {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
