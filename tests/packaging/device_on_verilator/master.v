// A bus master of 32 bits that submits 64 jobs through the registers of the device and takes their completions when the
// line of the interrupt is high. One request at a time: `request` stays until `done`.
module master (
    input wire clock,
    input wire reset,
    input wire line,  // of the interrupt
    output reg request,
    output reg store,
    output reg [11:0] address,
    output reg [31:0] data,
    input wire done,
    input wire [31:0] loaded,
    output reg [31:0] completed,
    output reg [31:0] tags,
    output wire finished
);
  localparam JOBS = 64;
  localparam ENABLE = 0, TAG = 1, SIZE = 2, DOORBELL = 3, IDLE = 4, LOAD = 5, POP = 6;
  reg [2:0] state;
  reg [31:0] job;

  assign finished = completed == JOBS;

  task send(input to_store, input [11:0] where, input [31:0] what);
    begin
      request <= 1;
      store <= to_store;
      address <= where;
      data <= what;
    end
  endtask

  always @(posedge clock)
    if (reset) begin
      request <= 0;
      state <= ENABLE;
      job <= 1;
      completed <= 0;
      tags <= 0;
    end else if (request) begin
      if (done) begin
        request <= 0;
        case (state)
          ENABLE, TAG, SIZE: state <= state + 1;
          DOORBELL: begin
            job <= job + 1;
            state <= IDLE;
          end
          LOAD: begin
            tags <= tags + loaded;
            state <= POP;
          end
          default: begin
            completed <= completed + 1;
            state <= IDLE;
          end
        endcase
      end
    end else
      case (state)
        ENABLE: send(1, 12'h020, 1);
        TAG: send(1, 12'h008, job);
        SIZE: send(1, 12'h808, 32'd40 + job);
        DOORBELL: send(1, 12'h000, 2);
        IDLE:
        if (line) begin
          send(0, 12'h060, 0);
          state <= LOAD;
        end else if (job <= JOBS) begin
          send(1, 12'h008, job);
          state <= TAG;
        end
        LOAD: send(0, 12'h060, 0);
        default: send(1, 12'h080, 0);
      endcase
endmodule
