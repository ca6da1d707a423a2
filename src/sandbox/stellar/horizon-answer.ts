import { Asset, StrKey } from "@stellar/stellar-sdk/base";
import { PublicKey, type Asset as XdrAsset } from "@stellar/stellar-sdk/xdr";
import { present } from "../../platform/kernel/assert.ts";
import { instantFromSeconds } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

export type Answer = { readonly status: number; readonly body: unknown };

export function found(body: unknown): Answer {
  return { status: 200, body };
}

export function notFound(): Answer {
  return problem(404, "not_found", "Resource Missing", {});
}

export function badRequest(field: string): Answer {
  return problem(400, "bad_request", "Bad Request", { invalid_field: field });
}

export function problem(status: number, type: string, title: string, extras: object): Answer {
  return {
    status,
    body: { type: `https://stellar.org/horizon-errors/${type}`, title, status, extras },
  };
}

export type Listed = { readonly paging_token: string };

const pageMax = 200;

/** A page of records that are given in ascending order. */
export function pageOf(records: readonly Listed[], url: URL): Answer {
  const { searchParams } = url;
  const isDescending = searchParams.get("order") === "desc";
  const ordered = isDescending ? records.toReversed() : records;
  const cursor = searchParams.get("cursor");
  const at = ordered.findIndex(({ paging_token }) => paging_token === cursor);
  const limit = Math.min(Number(searchParams.get("limit") ?? 10), pageMax);
  const page = ordered.slice(at + 1, at + 1 + limit);
  const link = (token: string | undefined, order: string | null) => {
    const href = new URL(url);
    if (token !== undefined) href.searchParams.set("cursor", token);
    if (order !== null) href.searchParams.set("order", order);
    return { href: href.toString() };
  };
  const [next, prev] = [page.at(-1)?.paging_token, page[0]?.paging_token];
  const _links = {
    self: link(undefined, null),
    next: link(next ?? cursor ?? undefined, isDescending ? "desc" : "asc"),
    prev: link(prev ?? cursor ?? undefined, isDescending ? "asc" : "desc"),
  };
  return found({ _links, _embedded: { records: page } });
}

export function publicKeyOf(address: string): PublicKey {
  return PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(address));
}

export function addressOf({ ed25519 }: PublicKey): string {
  return StrKey.encodeEd25519PublicKey(ed25519.value);
}

export function decimal(units: bigint): string {
  const digits = units.toString().padStart(8, "0");
  return `${digits.slice(0, -7)}.${digits.slice(-7)}`;
}

export function isoTime(seconds: bigint): string {
  return formatTimestamp(instantFromSeconds(Number(seconds))).replace(/\.\d+Z$/, "Z");
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

/** The members that name an asset: `asset_type`, `asset_code` and `asset_issuer`. */
export function assetMembers(asset: XdrAsset, prefix = ""): Readonly<Record<string, string>> {
  const named = Asset.fromOperation(asset);
  const type = { [`${prefix}asset_type`]: named.getAssetType() };
  return named.isNative()
    ? type
    : {
        ...type,
        [`${prefix}asset_code`]: named.getCode(),
        [`${prefix}asset_issuer`]: present(named.getIssuer(), "a token's issuer"),
      };
}

/** `native`, or `CODE:ISSUER`. */
export function assetText(asset: XdrAsset): string {
  return Asset.fromOperation(asset).toString();
}

/** The asset in a request's members, such as `selling_asset_type`; null if they name none. */
export function assetIn(query: URLSearchParams, prefix: string): XdrAsset | null {
  const [type, code, issuer] = ["type", "code", "issuer"].map((name) =>
    query.get(`${prefix}asset_${name}`),
  );
  if (type === "native") return Asset.native().toXdrObject();
  return assetNamed(`${code ?? ""}:${issuer ?? ""}`);
}

/** Null for text that is no asset. */
export function assetNamed(text: string): XdrAsset | null {
  if (text === "native") return Asset.native().toXdrObject();
  const [code = "", issuer = ""] = text.split(":");
  try {
    return new Asset(code, issuer).toXdrObject();
  } catch {
    return null;
  }
}
