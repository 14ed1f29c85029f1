# A small image with roclua: docker run --rm -v "$PWD:/work" roclua run
#
# The program is loaded by the dynamic linker, so that it can load libraries of a GPU. The base has only a C library.
FROM golang:1.26 AS build
WORKDIR /source
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags "-s -w" -o /roclua .
RUN mkdir -p /shipped/lib && case $(uname -m) in x86_64) go run ./host/record/ship /shipped ;; esac

FROM gcr.io/distroless/base-debian12:nonroot
COPY --from=build /roclua /usr/local/bin/roclua
COPY --from=build /shipped/lib /usr/local/lib
WORKDIR /work
ENTRYPOINT ["/usr/local/bin/roclua"]
