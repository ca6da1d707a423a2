import { Button, type ButtonProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ComponentPropsWithRef } from "react";

function LinkedButton(props: ButtonProps & Omit<ComponentPropsWithRef<"a">, keyof ButtonProps>) {
  return <Button component="a" {...props} />;
}

/** A router link styled as a button. */
export const ButtonLink = createLink(LinkedButton);
