import { bytesOf, CborError, fieldsOf, hexOf, type Item, intOf, listOf, mapOf } from "./cbor.ts";
import { hex } from "./hash.ts";
import { type Language, languageAt, type Script } from "./script.ts";

export type Signatory = {
  readonly key: string;
  readonly signature: string;
  /** Of an address of Byron. */
  readonly chainCode?: string;
  readonly addressAttributes?: string;
};

const purposes = ["spend", "mint", "publish", "withdraw", "vote", "propose"] as const;

export type Redeemer = {
  readonly purpose: (typeof purposes)[number];
  readonly index: number;
  /** In hex. */
  readonly data: string;
  readonly memory: bigint;
  readonly cpu: bigint;
};

export type Witnesses = {
  readonly signatories: readonly Signatory[];
  readonly scripts: readonly Script[];
  readonly datums: readonly Uint8Array[];
  readonly redeemers: readonly Redeemer[];
};

/** The fields that contain scripts, by their languages' numbers. */
const scriptFields = [1, 3, 6, 7] as const;

export function readWitnesses(item: Item): Witnesses {
  const fields = fieldsOf(item);
  const listAt = (key: number): readonly Item[] => {
    const list = fields.get(key);
    return list === undefined ? [] : listOf(list);
  };
  const redeemers = fields.get(5);
  return {
    signatories: [...listAt(2).map(readBootstrap), ...listAt(0).map(readSignature)],
    scripts: scriptFields.flatMap((key, number) => {
      const language: Language = languageAt(number);
      return listAt(key).map((script) => ({
        language,
        bytes: language === "native" ? script.raw : bytesOf(script),
      }));
    }),
    datums: listAt(4).map(({ raw }) => raw),
    redeemers: redeemers === undefined ? [] : readRedeemers(redeemers),
  };
}

function readSignature(item: Item): Signatory {
  const [key, signature] = listOf(item);
  if (key === undefined || signature === undefined)
    throw new CborError("a signature has two items");
  return { key: hexOf(key), signature: hexOf(signature) };
}

function readBootstrap(item: Item): Signatory {
  const [key, signature, chainCode, attributes] = listOf(item).map(hexOf);
  if (key === undefined || signature === undefined || chainCode === undefined)
    throw new CborError("a signature of Byron has four items");
  return { key, signature, chainCode, addressAttributes: attributes ?? "" };
}

/** A list of four items each, or a map since the Conway era. */
function readRedeemers(item: Item): readonly Redeemer[] {
  const rows: readonly (readonly Item[])[] =
    item.kind === "map"
      ? mapOf(item).map(([pointer, content]) => [...listOf(pointer), ...listOf(content)])
      : listOf(item).map(listOf);
  return rows.map(([tag, index, data, units]) => {
    if (tag === undefined || index === undefined || data === undefined || units === undefined)
      throw new CborError("a redeemer has four items");
    const purpose = purposes[Number(intOf(tag))];
    const [memory, cpu] = listOf(units).map(intOf);
    if (purpose === undefined || memory === undefined || cpu === undefined)
      throw new CborError("a redeemer is for an unknown purpose");
    return { purpose, index: Number(intOf(index)), data: hex(data.raw), memory, cpu };
  });
}
