import { Button, FileButton, Group, Input, Text } from "@mantine/core";
import { useState } from "react";
import { shrinkImage } from "./shrink-image.ts";

/** Shows the logo, and replaces it by a picture from the browser's machine, made small enough. */
export function LogoField({
  value,
  error,
  onChange,
}: {
  /** An address, a data URL, or empty. */
  readonly value: string;
  readonly error: React.ReactNode;
  readonly onChange: (value: string) => void;
}) {
  const [problem, setProblem] = useState<string | null>(null);
  const choose = async (file: File | null): Promise<void> => {
    if (file === null) return;
    const image = await shrinkImage(file);
    setProblem(image === null ? "This file isn't an image that the browser can read." : null);
    if (image !== null) onChange(image);
  };
  return (
    <Input.Wrapper
      label="Logo"
      labelElement="div"
      description="PNG, JPEG or WebP. Larger pictures are scaled down."
      error={problem ?? error}
    >
      <Group mt="xs" mih={48}>
        {value === "" ? (
          <Text c="dimmed" size="sm">
            No logo
          </Text>
        ) : (
          <img className="store-logo" src={value} alt="Your store's logo" />
        )}
        <FileButton accept="image/png,image/jpeg,image/webp" onChange={(file) => void choose(file)}>
          {(props) => (
            <Button variant="default" {...props}>
              {value === "" ? "Upload logo" : "Replace logo"}
            </Button>
          )}
        </FileButton>
        {value === "" ? null : (
          <Button
            variant="subtle"
            onClick={() => {
              onChange("");
            }}
          >
            Remove logo
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}
