import { Fragment, type ReactNode } from "react";
import type { NamesIn, TextKey } from "./catalogs.ts";
import { translated } from "./t.ts";

/** A text with elements in it: `rich("Created in {link}.", { link: <TextLink … /> })`. A translation may order them differently. */
export function rich<Key extends TextKey>(
  text: Key,
  elements: Readonly<Record<NamesIn<Key>, ReactNode>>,
): ReactNode {
  const named: Readonly<Record<string, ReactNode>> = elements;
  return translated(text)
    .split(/(\{\w+\})/)
    .map((part, index) => (
      <Fragment key={index}>{/^\{\w+\}$/.test(part) ? named[part.slice(1, -1)] : part}</Fragment>
    ));
}
