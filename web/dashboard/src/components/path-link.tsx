import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** A link to a path computed at run time; use `TextLink` for paths known to the router's types. */
export function PathLink({
  to,
  search,
  size,
  children,
}: {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly size?: "sm";
  readonly children: ReactNode;
}) {
  // The router's link type accepts only paths known at compile time.
  const target = { to, ...(search === undefined ? {} : { search }) } as object;
  return (
    <Anchor component={Link} {...target} {...(size === undefined ? {} : { size })}>
      {children}
    </Anchor>
  );
}
