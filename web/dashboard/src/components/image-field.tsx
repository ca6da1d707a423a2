import { Button, FileButton, Group, Input, Text } from "@mantine/core";
import { useState } from "react";
import "./image-field.css";
import { shrinkImage } from "./shrink-image.ts";

/** Shows a picture, and replaces it by one from the browser's machine, made small enough. `noun` is as in "Upload logo". */
export function ImageField({
  label,
  noun,
  value,
  error,
  onChange,
}: {
  readonly label: string;
  readonly noun: string;
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
      label={label}
      labelElement="div"
      description="PNG, JPEG or WebP. Larger pictures are scaled down."
      error={problem ?? error}
    >
      <Group mt="xs" mih={48}>
        {value === "" ? (
          <Text c="dimmed" size="sm">
            No {noun}
          </Text>
        ) : (
          <img className="chosen-image" src={value} alt={`The chosen ${noun}`} />
        )}
        <FileButton accept="image/png,image/jpeg,image/webp" onChange={(file) => void choose(file)}>
          {(props) => (
            <Button variant="default" {...props}>
              {`${value === "" ? "Upload" : "Replace"} ${noun}`}
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
            Remove {noun}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}
