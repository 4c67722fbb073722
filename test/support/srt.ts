/** The first packet of an SRT caller. */
export function induction(): Buffer {
  const packet = Buffer.alloc(64)
  packet.writeUInt16BE(0x8000, 0)
  packet.writeUInt32BE(4, 16)
  packet.writeUInt16BE(2, 22)
  packet.writeUInt32BE(1, 36)
  packet.writeUInt32BE(77, 40)
  return packet
}
